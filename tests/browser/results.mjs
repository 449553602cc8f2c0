// Directories of results as a run would leave them, made by hand: the tests know every number in them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const axis = (label, unit = '-', log = false) => ({ label, unit, log });
const column = (name, unit = '-', description = '') => ({ name, unit, description });
const figure = (name, title, x, y, curves, more = {}) => ({ name, title, kind: 'curves', x, y, z: axis(''), curves, marks: [], caption: '', ...more });

function writeTable(directory, file, names, rows) {
  writeFileSync(join(directory, file), [names.join(','), ...rows.map((row) => row.join(','))].join('\n') + '\n');
}

function writeReport(directory, title, analyses, more = {}) {
  mkdirSync(directory, { recursive: true });
  const listed = analyses.map(({ rows, ...analysis }) => {
    writeTable(directory, `${analysis.name}.csv`, analysis.columns.map((c) => c.name), rows);
    const { columns, ...rest } = analysis;
    return { kind: 'test', describe: 'made by hand', ending: 'completed', message: '', wall_seconds: 0.1, words: '', how: 'By hand.',
      tables: [{ part: '', file: `${analysis.name}.csv`, rows: rows.length, columns }], figures: [], ...rest };
  });
  writeFileSync(join(directory, 'report.json'), JSON.stringify({
    format: 1, title, study_file: 'study.toml', version: '0.0', command: 'microslip run study.toml', started: '2026-01-01 00:00 UTC',
    wall_seconds: 1, machine: { processor: 'Test', threads: 2, system: 'Linux' }, units: { length: 'm', force: 'N', time: 's' },
    analyses: listed, study: 'title = "x"\n', ...more,
  }));
}

// A hysteresis loop: two branches, closed.
export function loopRows(amplitude = 2) {
  const rows = [];
  const n = 200;
  for (let i = 0; i <= n; ++i) { const u = amplitude * (1 - (2 * i) / n); rows.push([u, Math.sqrt(amplitude) * (1 - 2 * Math.sqrt((amplitude - u) / (2 * amplitude)))]); }
  for (let i = 1; i <= n; ++i) { const u = amplitude * (-1 + (2 * i) / n); rows.push([u, -Math.sqrt(amplitude) * (1 - 2 * Math.sqrt((amplitude + u) / (2 * amplitude)))]); }
  return rows;
}

// A folded curve: omega = 1 + a (a - 1)^2 ... not a function of omega; unstable between the folds, where d omega/da < 0.
export function foldRows() {
  const rows = [];
  for (let i = 0; i <= 300; ++i) {
    const a = 0.01 + i * 0.01;
    const omega = 1 + 0.3 * (a - 1) ** 3 - 0.3 * (a - 1);
    const slope = 0.9 * (a - 1) ** 2 - 0.3;
    rows.push([omega, a, slope > 0 ? 1 : 0]);
  }
  return rows;
}

export function plainReport(directory, { title = 'Plain', scale = 1, units } = {}) {
  const history = [];
  for (let i = 0; i <= 100; ++i) history.push([i * 0.01, scale * Math.sin(0.3 * i) * 1e-6, Math.exp(-0.05 * i) * 1e5]);
  const map = [];
  for (let j = 0; j < 5; ++j) for (let i = 0; i < 7; ++i) map.push([i, j, i * j]);
  writeReport(directory, title, [
    { name: 'history', words: 'A sine of one micrometre.',
      columns: [column('time', 's', 'time'), column('q[3]', 'm', 'displacement'), column('f', 'N', 'force')], rows: history,
      figures: [figure('q', 'Displacement', axis('time', 'time'), axis('displacement', 'length'), [{ table: '', x: 'time', y: 'q[3]', label: 'sine' }, { table: '', x: 'time', y: 'f', label: 'decay' }], { method: 'Newmark' }),
        figure('missing', 'Missing', axis('time', 'time'), axis('nothing'), [{ table: '', x: 'time', y: 'nothing' }])] },
    { name: 'loop', columns: [column('u', 'm'), column('force', 'N')], rows: loopRows(),
      figures: [figure('loop', 'Loop', axis('deflection', 'length'), axis('force', 'force'), [{ table: '', x: 'u', y: 'force', label: 'loop' }], { method: 'shooting' })] },
    { name: 'fold', columns: [column('omega', 'rad/s'), column('amplitude', 'm'), column('stable')], rows: foldRows(),
      ending: 'no_convergence', message: 'the curve ended early',
      figures: [figure('fold', 'Fold', axis('omega', 'rad/time'), axis('amplitude', 'length'), [{ table: '', x: 'omega', y: 'amplitude', label: 'response', stable: 'stable' }])] },
    { name: 'map', columns: [column('a'), column('b'), column('c', 'm')], rows: map,
      figures: [figure('map', 'Map', axis('a'), axis('b'), [{ table: '', x: 'a', y: 'b', z: 'c' }], { kind: 'map', z: axis('c', 'length') })] },
  ], units ? { units } : {});
}

// A stabilisation diagram: poles of modes 1 and 2 near 100 and 250 Hz, and of none near 400; orders 2 to 10. Rows of
// stability 9 are the modes.
export function polesReport(directory, text = {}) {
  const rows = [[0, 100, 0.01, 9, 1], [0, 250, 0.02, 9, 2]];
  for (let order = 2; order <= 10; order += 2) {
    rows.push([order, 100 + 0.1 * order, 0.011, 3, 1], [order, 250 - 0.1 * order, 0.021, 3, 2], [order, 400 + 0.1 * order, 0.05, 0, 0]);
  }
  const poles = (stability) => ({ table: '', x: 'frequency_hz', y: 'order', label: `kind ${stability}`, style: 'dots', where: [{ column: 'stability', value: stability }], more: ['zeta', 'mode'] });
  writeReport(directory, 'Poles', [
    { name: 'fit', columns: [column('order'), column('frequency_hz', 'Hz'), column('zeta'), column('stability'), column('mode')], rows,
      figures: [figure('poles', 'Poles', axis('frequency', '1/time'), axis('order'), [{ table: '', x: 'frequency_hz', y: 'order', label: 'through all' }, poles(3), poles(0)],
        { marks: [{ points: { table: '', x: 'frequency_hz', y: 'order', label: 'chosen', where: [{ column: 'stability', value: 3 }] }, event: '' }],
          picking: { key: 'near_hz', noun: 'pole', same: 'mode', beside: axis('damping ratio'), advice: 'near_hz chooses.',
            known: { table: '', x: 'frequency_hz', y: 'zeta', label: 'mode', where: [{ column: 'stability', value: 9 }], more: ['mode'] }, ...text } })] },
  ]);
}

// Every text that a user chooses, as bad as can be.
export function hostileReport(directory, bad) {
  writeReport(directory, bad, [
    { name: 'x', kind: bad, describe: bad, words: bad, how: bad, message: bad,
      columns: [column('t', bad, bad), column(bad, bad, bad)], rows: [[0, 1], [1, 2], [2, 1]],
      figures: [figure('f', bad, axis(bad, bad), axis(bad, bad), [{ table: '', x: 't', y: bad, label: bad }, { table: '', x: 't', y: 't', label: bad }, { table: '', x: 't', y: bad, label: bad, style: 'dots', more: [bad], where: [{ column: 't', value: 1 }] }], { caption: bad, method: bad,
        picking: { key: bad, noun: bad, same: bad, beside: axis(bad, bad), advice: bad, known: { table: '', x: 't', y: bad, label: bad, more: [bad] } },
        marks: [{ points: { table: '', x: 't', y: bad, label: bad }, event: '' }] })] },
  ], { study: bad, command: bad, version: bad, started: bad, study_file: bad, units: { length: bad, force: bad, time: bad }, machine: { processor: bad, system: bad, threads: 1 } });
}
