import "./good"; await null; throw Object.assign(new RangeError("from bad.ts"), { code: 7 });
