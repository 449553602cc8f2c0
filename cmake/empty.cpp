// The source of microslip_headers, whose precompiled headers all folders share.
