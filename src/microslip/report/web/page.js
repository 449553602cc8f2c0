// Figures of a report: the static pictures become interactive ones. Nothing is fetched; all data stand in the page.
(() => {
  'use strict';

  const nonce = document.currentScript.nonce;
  const byId = (id) => document.getElementById(id);
  const columnsOfView = 1000; // of the x axis: at most four points of a pass in each

  function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return bytes;
  }
  const doubles = (text) => new Float64Array(bytesOf(text).buffer);
  const floats = (text) => new Float32Array(bytesOf(text).buffer);

  const raised = (power) => String(power).replace(/./g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]));

  // 12.35×10⁶: plain from 1e-3 to below 1e5, exponents that are multiples of three elsewhere.
  function engineering(value, digits = 5) {
    if (Number.isNaN(value)) return '–';
    if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
    const sign = value < 0 ? '−' : '';
    const size = Math.abs(value);
    const plain = (v) => String(Number(v.toPrecision(digits)));
    if (size === 0) return '0';
    const rounded = Number(size.toPrecision(digits));
    if (rounded >= 1e-3 && rounded < 1e5) return sign + plain(size);
    const power = 3 * Math.floor(Math.floor(Math.log10(rounded) + 1e-12) / 3);
    return `${sign}${plain(rounded / 10 ** power)}×10${raised(power)}`;
  }

  // Ticks of a linear axis whose numbers are not plain ones: multiples of 1, 2 or 5, and the power of ten that the
  // labels leave out. Nothing where plain numbers do.
  function engineeringTicks(low, high, wanted) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (!(high > low) || !Number.isFinite(size) || (size >= 1e-3 && size < 1e5)) return null;
    const power = 3 * Math.floor(Math.floor(Math.log10(size) + 1e-12) / 3);
    const rough = (high - low) / wanted;
    const decade = 10 ** Math.floor(Math.log10(rough));
    const step = decade * [1, 2, 5, 10].find((k) => k * decade >= rough * (1 - 1e-9));
    const values = [], texts = [];
    const digits = Math.min(15, Math.max(1, Math.ceil(Math.log10(size / step)) + 2));
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
      values.push(k * step);
      texts.push(String(Number(((k * step) / 10 ** power).toPrecision(digits))).replace('-', '−'));
    }
    return { values, texts, note: `×10${raised(power)}` };
  }

  // Plotly reads a few tags and fields in its texts; ours are plain words.
  const plainText = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/%\{/g, '%\u200b{');
  const withUnit = (value, unit) => engineering(value) + (unit ? ' ' + plainText(unit) : '');

  // ---------------------------------------------------------------------------------------------- data of a figure

  function read(index) {
    const data = JSON.parse(byId(`figure-data-${index}`).textContent);
    for (const line of [...(data.lines || []), ...(data.picking ? [data.picking.known] : [])]) {
      line.x = typeof line.x === 'number' ? data.lines[line.x].x : doubles(line.x);
      line.y = doubles(line.y);
      if (line.z) line.z = doubles(line.z);
      for (const more of line.more || []) more.values = doubles(more.values);
    }
    for (const marks of data.marks || []) {
      for (const axis of ['x', 'y', 'z']) if (marks[axis]) marks[axis] = doubles(marks[axis]);
    }
    if (data.map) for (const part of ['x', 'y', 'values']) data.map[part] = doubles(data.map[part]);
    return data;
  }

  // All the points that the page holds of a curve, decoded when first asked for.
  function detail(line) {
    if (!line.detail) return { x: line.x, y: line.y };
    if (!line.all) {
      const y = floats(byId(`${line.detail.id}-y`).textContent);
      let x;
      if (line.detail.x === 'uniform') {
        x = new Float64Array(y.length);
        for (let i = 0; i < x.length; ++i) x[i] = line.detail.start + i * line.detail.step;
      } else {
        x = (line.detail.x === 'f8' ? doubles : floats)(byId(`${line.detail.id}-x`).textContent);
      }
      line.all = { x, y };
    }
    return line.all;
  }

  // The part of a curve between two places, thinned: of every run of neighbours in a column of the axis the first, the
  // last and the extremes.
  function view(points, from, to, log) {
    const { x, y } = points;
    const place = log ? Math.log10 : (v) => v;
    const start = place(from);
    const scale = columnsOfView / (place(to) - start);
    const columnOf = (v) => {
      const c = Math.floor((place(v) - start) * scale);
      return c < 0 ? -1 : c > columnsOfView ? columnsOfView + 1 : c; // NaN stays
    };
    const keptX = [], keptY = [];
    const keep = (i) => { keptX.push(x[i]); keptY.push(y[i]); };
    const gap = () => {
      if (keptX.length && !Number.isNaN(keptX[keptX.length - 1])) { keptX.push(NaN); keptY.push(NaN); }
    };
    let first = -1, low = 0, high = 0, left = 0, right = 0, last = 0, column = NaN;
    const close = () => {
      if (first < 0) return;
      const outside = column < 0 || column > columnsOfView;
      if (outside) { // only its ends matter: where the curve comes in and goes out
        keep(first);
        if (last > first) { gap(); keep(last); }
      } else {
        for (const i of [...new Set([first, low, high, left, right, last])].sort((a, b) => a - b)) keep(i);
      }
      first = -1;
    };
    for (let i = 0; i < x.length; ++i) {
      const c = Number.isNaN(y[i]) ? NaN : columnOf(x[i]);
      if (Number.isNaN(c)) { close(); gap(); column = NaN; continue; }
      if (c === column && first >= 0) {
        if (y[i] < y[low]) low = i;
        if (y[i] > y[high]) high = i;
        if (x[i] < x[left]) left = i;
        if (x[i] > x[right]) right = i;
        last = i;
        continue;
      }
      close();
      column = c;
      first = low = high = left = right = last = i;
    }
    close();
    return { x: Float64Array.from(keptX), y: Float64Array.from(keptY) };
  }

  // ------------------------------------------------------------------------------------------------------- Plotly

  const engines = {};
  async function engine(name) {
    if (!engines[name]) {
      engines[name] = (async () => {
        const packed = bytesOf(byId(`engine-${name}`).textContent.trim());
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
        const script = document.createElement('script');
        script.nonce = nonce;
        script.textContent = await new Response(stream).text();
        document.head.append(script);
        return window.Plotly;
      })();
    }
    return engines[name];
  }

  const ink = '#1d2125', soft = '#5b6670', grid = '#e6e9ec', picked = '#c2410c';
  const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif';

  function hoverTexts(data, line, x, y, z) {
    const name = line.label ? `<b>${plainText(line.label)}</b>${line.dash ? ' (unstable)' : ''}<br>` : line.dash ? '(unstable)<br>' : '';
    const texts = new Array(x.length);
    for (let i = 0; i < x.length; ++i) {
      texts[i] = `${name}${plainText(data.x.label)}: ${withUnit(x[i], data.x.unit)}<br>${plainText(data.y.label)}: ${withUnit(y[i], data.y.unit)}` +
        (z ? `<br>${plainText(data.z.label)}: ${withUnit(z[i], data.z.unit)}` : '') +
        (line.more || []).map((more) => `<br>${plainText(more.name)}: ${withUnit(more.values[i], more.unit)}`).join('');
    }
    return texts;
  }

  function axis(part) {
    return {
      title: { text: plainText(part.title), font: { size: 13, color: ink }, standoff: 8 },
      type: part.log ? 'log' : 'linear',
      exponentformat: 'power', showexponent: 'all', minexponent: 5,
      tickfont: { size: 12, color: soft }, gridcolor: grid, linecolor: '#9aa3ab', zerolinecolor: '#c9cfd5', zerolinewidth: 1,
      showline: true, ticks: 'outside', ticklen: 4, tickcolor: '#9aa3ab', automargin: true,
    };
  }

  const inLegend = (data) => (data.lines || []).filter((line) => line.legend);

  // Range of all values of an axis.
  function extent(arrays) {
    let low = Infinity, high = -Infinity;
    for (const values of arrays) for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    return [low, high];
  }

  // Title and ticks of a linear axis from `low` to `high`, as Plotly takes them.
  function ticksFor(part, low, high, log, wanted) {
    const ticks = log ? null : engineeringTicks(low, high, wanted);
    return ticks
      ? { title: `${plainText(part.title)} ${ticks.note}`, tickmode: 'array', tickvals: ticks.values, ticktext: ticks.texts }
      : { title: plainText(part.title), tickmode: 'auto', tickvals: null, ticktext: null };
  }

  const skipped = { hoverinfo: 'skip', hovertemplate: '' };
  const told = (line, name) => (line.more || []).find((more) => more.name === name)?.values;

  function traces(data) {
    const space = data.kind === 'space';
    const single = inLegend(data).length === 1; // then the legend names the method with it
    const list = (data.lines || []).map((line, index) => {
      const dots = line.style === 'dots' || line.style === 'line_and_dots';
      const trace = {
        type: space ? 'scatter3d' : 'scatter',
        name: plainText([single && data.method, line.label].filter(Boolean).join(', ')), x: line.x, y: line.y,
        mode: line.style === 'dots' ? 'markers' : dots ? 'lines+markers' : 'lines',
        line: { color: line.colour, width: space ? 4 : 1.8, dash: line.dash ? 'dash' : 'solid', shape: line.style === 'steps' && !space ? 'hv' : 'linear' },
        marker: { color: line.colour, size: space ? 3 : 5, symbol: line.marker },
        legendgroup: `g${line.group}`, showlegend: Boolean(line.legend && (line.label || (single && data.method))), connectgaps: false,
        text: hoverTexts(data, line, line.x, line.y, line.z), hovertemplate: '%{text}<extra></extra>',
        meta: index,
      };
      if (data.picking && line.style !== 'dots') Object.assign(trace, skipped); // in the way of those to pick
      if (space) trace.z = line.z;
      return trace;
    });
    for (const marks of data.marks || []) {
      list.push({
        type: space ? 'scatter3d' : 'scatter', mode: 'markers', name: plainText(marks.label || 'special point'),
        x: marks.x, y: marks.y, ...(space ? { z: marks.z } : {}), showlegend: Boolean(marks.label),
        marker: { color: '#fff', size: space ? 5 : 8, symbol: space ? 'circle' : marks.marker, line: { color: ink, width: 1.6 } },
        text: hoverTexts(data, { label: marks.label }, marks.x, marks.y, marks.z), hovertemplate: '%{text}<extra></extra>',
        ...(data.picking ? skipped : {}), // the point below tells more
      });
    }
    if (data.picking) list.push({ type: 'scatter', mode: 'markers', name: 'picked', x: [], y: [], ...skipped, marker: { symbol: 'circle-open', color: picked, size: 15, line: { color: picked, width: 2.4 } } });
    if (data.map) {
      const { x, y, values } = data.map;
      const rows = [], texts = [];
      const log = data.z.log;
      for (let j = 0; j < y.length; ++j) {
        const row = Array.from(values.subarray(j * x.length, (j + 1) * x.length));
        rows.push(log ? row.map((v) => (v > 0 ? Math.log10(v) : NaN)) : row);
        texts.push(row.map((v, i) => `${plainText(data.x.label)}: ${withUnit(x[i], data.x.unit)}<br>${plainText(data.y.label)}: ${withUnit(y[j], data.y.unit)}<br><b>${plainText(data.z.label)}: ${withUnit(v, data.z.unit)}</b>`));
      }
      const ticks = ticksFor(data.z, ...extent([values]), log, 6);
      list.push({
        type: 'heatmap', x, y, z: rows, text: texts, hovertemplate: '%{text}<extra></extra>', colorscale: data.scale,
        colorbar: {
          title: { text: ticks.title + (log ? ', log₁₀' : ''), side: 'right', font: { size: 13 } }, thickness: 14, outlinewidth: 0, exponentformat: 'power', minexponent: 5, tickfont: { size: 12, color: soft },
          ...(ticks.tickvals ? { tickmode: 'array', tickvals: ticks.tickvals, ticktext: ticks.ticktext } : {}),
        },
      });
    }
    return list;
  }

  function layout(data) {
    const base = {
      font: { family, size: 13, color: ink }, margin: { l: 56, r: 16, t: 30, b: 48 }, paper_bgcolor: '#fff', plot_bgcolor: '#fff',
      hovermode: 'closest', hoverlabel: { bgcolor: '#fff', bordercolor: '#9aa3ab', font: { family, size: 13, color: ink }, align: 'left' },
      // At the bottom of the figure, below the title of the axis whatever the height of both.
      legend: { orientation: 'h', x: 0, xanchor: 'left', y: 0, yref: 'container', yanchor: 'bottom', font: { size: 12 }, tracegroupgap: 4 }, dragmode: 'zoom',
    };
    if (data.method && inLegend(data).length > 1) base.legend.title = { text: plainText(data.method), font: { size: 12 }, side: 'left' };
    if (data.kind === 'space') {
      base.scene = { xaxis: axis(data.x), yaxis: axis(data.y), zaxis: axis(data.z), dragmode: 'orbit' };
      for (const part of ['xaxis', 'yaxis', 'zaxis']) { delete base.scene[part].automargin; delete base.scene[part].title.standoff; }
      for (const name of ['x', 'y', 'z']) {
        const ticks = ticksFor(data[name], ...extent(data.lines.map((line) => line[name])), data[name].log, 5);
        const target = base.scene[`${name}axis`];
        target.title.text = ticks.title;
        if (ticks.tickvals) Object.assign(target, { tickmode: 'array', tickvals: ticks.tickvals, ticktext: ticks.ticktext });
      }
      base.margin = { l: 0, r: 0, t: 0, b: 0 };
    } else {
      base.xaxis = axis(data.x);
      base.yaxis = axis(data.y);
      if (!data.y.log && data.lines) { // all the same: from zero, not from minus one
        const [low, high] = extent(data.lines.map((line) => line.y));
        if (low === high && low !== 0) base.yaxis.range = low > 0 ? [0, 2 * low] : [2 * low, 0];
      }
    }
    return base;
  }

  function button(text, title, action) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.title = title;
    made.addEventListener('click', () => action(made));
    return made;
  }

  function save(name, text) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function asCsv(data) {
    const quoted = (text) => `"${String(text).replace(/"/g, '""')}"`;
    const rows = [`curve,${quoted(data.x.title)},${quoted(data.y.title)}`];
    for (const line of data.lines || []) {
      const { x, y } = detail(line);
      for (let i = 0; i < x.length; ++i) rows.push(`${quoted(line.label)},${x[i]},${y[i]}`);
    }
    if (data.map) {
      rows[0] = `${quoted(data.x.title)},${quoted(data.y.title)},${quoted(data.z.title)}`;
      data.map.values.forEach((v, k) => rows.push(`${data.map.x[k % data.map.x.length]},${data.map.y[Math.floor(k / data.map.x.length)]},${v}`));
    }
    return rows.join('\n') + '\n';
  }

  // Numbers of the axes in sight in engineering notation.
  async function labelAxes(plotly, div, data) {
    const update = {};
    div.ticksNow ||= {};
    for (const name of ['x', 'y']) {
      const shown = div.layout[`${name}axis`];
      const wanted = Math.max(2, Math.floor((name === 'x' ? div.clientWidth / 110 : div.clientHeight / 60)));
      const ticks = ticksFor(data[name], ...[...shown.range].map(Number).sort((a, b) => a - b), shown.type === 'log', wanted);
      const now = JSON.stringify(ticks);
      if (now === (div.ticksNow[name] || JSON.stringify(ticksFor(data[name], 0, 1, false, wanted)))) continue;
      div.ticksNow[name] = now;
      update[`${name}axis.title.text`] = ticks.title;
      for (const key of ['tickmode', 'tickvals', 'ticktext']) update[`${name}axis.${key}`] = ticks[key];
    }
    if (Object.keys(update).length) await plotly.relayout(div, update);
  }

  // Zooming in shows the points of the part in sight, thinned to that part.
  function followZoom(plotly, div, data) {
    const long = data.lines.map((line, index) => index).filter((index) => data.lines[index].detail);
    if (!long.length) return () => {};
    const show = (range, log) => {
      const update = { x: [], y: [], text: [] };
      for (const index of long) {
        const line = data.lines[index];
        const points = range ? view(detail(line), range[0], range[1], log) : line;
        update.x.push(points.x);
        update.y.push(points.y);
        update.text.push(hoverTexts(data, line, points.x, points.y));
      }
      plotly.restyle(div, update, long);
    };
    const whole = (log) => { // of all long curves
      let from = Infinity, to = -Infinity;
      for (const index of long) {
        for (const v of detail(data.lines[index]).x) {
          if (!(v > 0) && log) continue;
          if (v < from) from = v;
          if (v > to) to = v;
        }
      }
      return [from, to];
    };
    div.on('plotly_relayout', (event) => {
      const keys = Object.keys(event);
      if (!keys.some((key) => /^xaxis[.](range|autorange|type)/.test(key))) return;
      const log = div.layout.xaxis.type === 'log';
      if (div.layout.xaxis.autorange) {
        if (log === data.x.log) show(null, log); else show(whole(log), log);
        return;
      }
      const range = div.layout.xaxis.range.map((v) => (log ? 10 ** Number(v) : Number(v)));
      show(range[0] < range[1] ? range : [range[1], range[0]], log);
    });
  }

  // -------------------------------------------------------------------------------------------------- points to pick

  // The point under a click among those that can be picked and are in sight.
  function pointAt(live, data, event) {
    const { picking } = data;
    const box = live.getBoundingClientRect(), { xaxis, yaxis } = live._fullLayout;
    const spot = { x: event.clientX - box.left - xaxis._offset, y: event.clientY - box.top - yaxis._offset };
    let best = null, least = 10; // px
    data.lines.forEach((line, index) => {
      const same = told(line, picking.same), beside = told(line, picking.beside);
      if (!same || live._fullData[index].visible !== true) return;
      for (let i = 0; i < line.x.length; ++i) {
        const away = Math.hypot(xaxis.d2p(line.x[i]) - spot.x, yaxis.d2p(line.y[i]) - spot.y);
        if (!(away < least)) continue;
        least = away;
        best = { x: line.x[i], y: line.y[i], same: same[i], beside: beside ? beside[i] : NaN };
      }
    });
    return best;
  }

  // The numbers for the study file: what is the same thing stands once, as picked last.
  function asked(picks) {
    const kept = picks.filter((p, i) => !p.same || !picks.slice(i + 1).some((later) => later.same === p.same));
    return [...new Set(kept.map((p) => Number(p.x.toPrecision(7))))].sort((a, b) => a - b);
  }

  function element(name, text, inside) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (inside) inside.append(made);
    return made;
  }

  function tableOfPicks(data, picks, remove) {
    const { known, noun, beside_axis: besideAxis } = data.picking;
    const table = document.createElement('table');
    const head = element('tr', '', element('thead', '', table)), body = element('tbody', '', table);
    for (const title of [data.y.title, data.x.title, besideAxis.title]) element('th', title, head).className = 'number';
    element('th', `nearest ${known.label} of this fit`, head);
    element('th', '', head);
    for (const pick of [...picks].sort((a, b) => a.x - b.x)) {
      const row = element('tr', '', body);
      for (const value of [pick.y, pick.x, pick.beside]) element('td', value === undefined ? 'fit' : engineering(value, 6), row).className = 'number';
      element('td', nearest(data, pick), row);
      const out = button('×', `Take this ${noun} out`, () => remove(pick));
      out.setAttribute('aria-label', out.title);
      element('td', '', row).append(out);
    }
    return table;
  }

  // "mode 3, 417.2 Hz (−0.02 %)": the pick is lower by as much.
  function nearest(data, pick) {
    const { known, same } = data.picking;
    let best = -1;
    known.x.forEach((x, i) => { if (best < 0 || Math.abs(x - pick.x) < Math.abs(known.x[best] - pick.x)) best = i; });
    if (best < 0) return '–';
    const name = `${known.label} ${told(known, same)?.[best] ?? ''}`.trim();
    if (pick.y === undefined) return name;
    const off = 100 * (pick.x / known.x[best] - 1);
    return `${name}, ${engineering(known.x[best], 6)}${data.x.unit ? ` ${data.x.unit}` : ''} (${off < 0 ? '' : '+'}${engineering(off, 2)} %)`;
  }

  // Under the figure: what is picked, and the line that asks for it.
  function letPick(plotly, figure, live, data) {
    const panel = figure.querySelector('.picks');
    if (!panel || !data.lines.some((line) => told(line, data.picking.same))) return;
    const { picking } = data, { known, noun } = picking;
    const numbers = told(known, picking.same) || [];
    let picks = [];
    const hint = element('p'), list = element('div'), line = element('code'), note = element('p');
    list.className = 'scroll';
    note.className = 'note';
    const remove = (gone) => change(picks.filter((p) => p !== gone));
    const copy = button('copy', 'Copy the line for the study file', async (self) => {
      getSelection().selectAllChildren(line);
      try { await navigator.clipboard.writeText(line.textContent); self.textContent = 'copied'; } catch { self.textContent = 'marked: Ctrl+C copies'; }
    });
    const clear = button('clear', `Take every ${noun} out`, () => change([]));
    const all = button(`all ${known.label}s of this fit`, `Pick the ${known.label}s that this fit has`, () => {
      const fitted = Array.from(known.x, (x, i) => ({ x, beside: known.y[i], same: numbers[i] }));
      change([...picks.filter((p) => !fitted.some((f) => f.same === p.same)), ...fitted]);
    });
    for (const made of [copy, clear]) made.className = 'filled';
    const bar = element('div');
    bar.className = 'tools';
    bar.append(...(known.x.length ? [all] : []), clear, copy);
    panel.prepend(hint, list, line, note, bar);

    function draw() {
      const points = picks.filter((p) => p.y !== undefined);
      const drawn = (p) => ({ type: 'line', x0: p.x, x1: p.x, yref: 'paper', y0: 0, y1: 1, line: { color: picked, width: 1.2, dash: 'dot' } });
      plotly.update(live, { x: [points.map((p) => p.x)], y: [points.map((p) => p.y)] }, {
        shapes: picks.filter((p) => p.y === undefined).map(drawn),
        'xaxis.range': [...live.layout.xaxis.range], 'yaxis.range': [...live.layout.yaxis.range], // nothing moves under the pointer
      }, [live.data.length - 1]);
    }
    function show() {
      hint.textContent = picks.length ? 'Picked, for the study file:' : `A click on a ${noun} picks it, another one takes it out; the line for the study file then stands here.`;
      list.replaceChildren(...(picks.length ? [tableOfPicks(data, picks, remove)] : []));
      const values = asked(picks);
      line.textContent = picks.length ? `${picking.key} = [${values.join(', ')}]` : '';
      const without = [...numbers].filter((number) => !picks.some((p) => p.same === number));
      const remarks = [];
      if (values.length < picks.length) remarks.push(`What was picked of one ${known.label} stands in the line once, as picked last.`);
      if (without.length) remarks.push(`Not in the line: ${known.label} ${without.join(', ')} of this fit.`);
      note.textContent = picks.length ? remarks.join(' ') : '';
      copy.textContent = 'copy';
      panel.classList.toggle('empty', !picks.length);
    }
    const change = (now) => { picks = now; show(); draw(); };
    live.on('plotly_click', ({ event }) => {
      const point = pointAt(live, data, event);
      if (!point) return;
      const there = picks.find((p) => p.x === point.x && p.y === point.y);
      if (there) remove(there); else change([...picks, point]);
    });
    show();
  }

  async function drawPlot(figure, data) {
    const live = figure.querySelector('.live');
    const plotly = await engine(data.engine);
    figure.classList.add('on');
    await plotly.newPlot(live, traces(data), layout(data), {
      responsive: true, displaylogo: false, doubleClick: 'reset+autosize',
      modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d', 'toggleSpikelines', 'hoverClosestCartesian', 'hoverCompareCartesian'],
      toImageButtonOptions: { format: 'svg', filename: figure.id },
    });
    const tools = figure.querySelector('.tools');
    if (data.kind !== 'space') {
      for (const name of ['x', 'y']) {
        const text = (log) => `${name}: ${log ? 'log' : 'linear'}`;
        const made = button(text(data[name].log), `Logarithmic or linear ${name} axis`, async (self) => {
          const log = live.layout[`${name}axis`].type !== 'log';
          await plotly.relayout(live, { [`${name}axis.type`]: log ? 'log' : 'linear', [`${name}axis.autorange`]: true });
          self.textContent = text(log);
          self.setAttribute('aria-pressed', String(log));
        });
        made.setAttribute('aria-pressed', String(Boolean(data[name].log)));
        tools.append(made);
      }
      if (data.lines) followZoom(plotly, live, data);
      if (data.picking) letPick(plotly, figure, live, data);
      await labelAxes(plotly, live, data);
      live.on('plotly_relayout', (event) => {
        if (Object.keys(event).some((key) => /axis[.](range|autorange|type)/.test(key))) labelAxes(plotly, live, data);
      });
    }
    tools.append(button('CSV', 'Save the data of this figure', () => save(`${figure.id}.csv`, asCsv(data))));
    figure.dataset.drawn = 'yes';
  }

  // -------------------------------------------------------------------------------------------- shapes in motion

  function drawShapes(figure, data) {
    const live = figure.querySelector('.live');
    const canvas = document.createElement('canvas');
    live.append(canvas);
    live.classList.add('low');
    figure.classList.add('on');
    const { points, lines, shapes } = data.shapes;
    const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])));
    const high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
    const centre = low.map((v, k) => (v + high[k]) / 2);
    const size = Math.max(...low.map((v, k) => high[k] - v)) || 1;
    const moves = (k) => shapes.some((s) => s.real.some((d) => d[k] !== 0) || (s.imaginary || []).some((d) => d[k] !== 0));
    const used = [0, 1, 2].filter((k) => high[k] > low[k] || moves(k));
    const flat = used.length <= 2;
    const [right, up] = flat ? [used[0] ?? 0, used[1] ?? (used[0] === 1 ? 0 : 1)] : [0, 1];
    const state = { shape: 0, playing: !matchMedia('(prefers-reduced-motion: reduce)').matches, phase: 0, turn: -0.6, tilt: 0.45 };

    const largest = (shape) => Math.max(1e-300, ...shape.real.map((d, i) => {
      const im = shape.imaginary ? shape.imaginary[i] : [0, 0, 0];
      return Math.hypot(...d, ...im);
    }));
    const project = (p) => {
      const q = p.map((v, k) => (v - centre[k]) / size);
      if (flat) return [q[right], q[up]];
      const [c, s] = [Math.cos(state.turn), Math.sin(state.turn)];
      const a = c * q[0] - s * q[1], b = s * q[0] + c * q[1];
      return [a, Math.cos(state.tilt) * q[2] + Math.sin(state.tilt) * b];
    };
    function paint() {
      const ratio = window.devicePixelRatio || 1;
      const width = live.clientWidth, height = live.clientHeight;
      if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
      if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
      const pen = canvas.getContext('2d');
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      const flatHigh = flat ? Math.max((high[up] - low[up]) / size, 0.36) + 0.36 : 1.3;
      const scale = Math.min((0.88 * width) / 1.2, (0.92 * height) / flatHigh);
      const spot = (p) => { const [a, b] = project(p); return [width / 2 + scale * a, height / 2 - scale * b]; };
      const shape = shapes[state.shape];
      const by = (0.16 * size) / largest(shape);
      const [c, s] = [Math.cos(state.phase), Math.sin(state.phase)];
      const moved = points.map((p, i) => p.map((v, k) => v + by * (c * shape.real[i][k] - s * (shape.imaginary ? shape.imaginary[i][k] : 0))));
      const stroke = (set, colour, thick) => {
        pen.strokeStyle = colour; pen.lineWidth = thick; pen.lineJoin = 'round';
        for (const line of lines) {
          pen.beginPath();
          line.forEach((i, k) => { const [a, b] = spot(set[i]); if (k) pen.lineTo(a, b); else pen.moveTo(a, b); });
          pen.stroke();
        }
      };
      stroke(points, '#c3cad1', 1.2);
      stroke(moved, '#0b4ea2', 2.2);
      if (points.length <= 200) {
        pen.fillStyle = '#0b4ea2';
        for (const p of moved) { const [a, b] = spot(p); pen.beginPath(); pen.arc(a, b, points.length > 60 ? 2 : 3.5, 0, 7); pen.fill(); }
      }
      pen.strokeStyle = '#c2410c'; pen.lineWidth = 1.8;
      for (const over of shape.over || []) {
        const [a, b] = spot(points[over.point].map((v, k) => v + by * c * over.real[k]));
        pen.beginPath(); pen.arc(a, b, 5, 0, 7); pen.stroke();
      }
    }
    let before = 0, seen = true;
    const tick = (time) => {
      if (state.playing && seen) {
        state.phase += Math.min(time - before, 100) * 0.0035;
        paint();
      }
      before = time;
      requestAnimationFrame(tick);
    };
    new IntersectionObserver((entries) => { seen = entries[entries.length - 1].isIntersecting; }).observe(live);
    new ResizeObserver(paint).observe(live);
    const choose = document.createElement('select');
    choose.setAttribute('aria-label', 'Shape');
    shapes.forEach((shape, i) => choose.append(new Option(shape.label || `shape ${i + 1}`, i)));
    choose.addEventListener('change', () => { state.shape = Number(choose.value); paint(); });
    const tools = figure.querySelector('.tools');
    tools.append(choose, button(state.playing ? 'pause' : 'play', 'Start or stop the motion', (self) => {
      state.playing = !state.playing;
      self.textContent = state.playing ? 'pause' : 'play';
    }));
    if (!flat) {
      let grip = null;
      canvas.addEventListener('pointerdown', (e) => { grip = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
      canvas.addEventListener('pointermove', (e) => {
        if (!grip) return;
        state.turn += (e.clientX - grip[0]) * 0.01;
        state.tilt = Math.min(1.57, Math.max(-1.57, state.tilt + (e.clientY - grip[1]) * 0.01));
        grip = [e.clientX, e.clientY];
        paint();
      });
      canvas.addEventListener('pointerup', () => { grip = null; });
    }
    paint();
    requestAnimationFrame(tick);
    figure.dataset.drawn = 'yes';
  }

  // --------------------------------------------------------------------------------------------------------- start

  const drawn = new Map();
  function draw(figure) {
    if (!drawn.has(figure)) {
      drawn.set(figure, (async () => {
        const data = read(figure.dataset.figure);
        figure.report = data;
        if (data.kind === 'shapes') drawShapes(figure, data);
        else if (byId(`engine-${data.engine}`) && 'DecompressionStream' in window) await drawPlot(figure, data);
      })().catch((error) => {
        figure.classList.remove('on'); // the static picture is still there
        console.error(error);
      }));
    }
    return drawn.get(figure);
  }
  const figures = [...document.querySelectorAll('figure[data-figure]')];
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watch.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: '300px' });
  figures.forEach((figure) => watch.observe(figure));
  window.microslipReport = { draw, detail, engineering, engineeringTicks, view };
})();
