// Takes from the guest's world all that is not a function of its source, and freezes the rest. Runs once, after the
// authoring package has captured its built-ins and before any of the author's code.
//
// What is not on the list goes. What stays but could tell the time, chance or place throws, naming itself.
(function harden(global, allowed, roots) {
  "use strict";
  const { defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { getOwnPropertyDescriptors } = Object;
  const NativeTypeError = TypeError;

  function refuse(name, hint) {
    const error = new NativeTypeError("`" + name + "` is not available in a build" + (hint ? "; " + hint : ""));
    defineProperty(error, "name", { value: "BannedApi", configurable: false, enumerable: false, writable: false });
    throw error;
  }

  // V8 puts some globals back under the one that is deleted, so delete until nothing unlisted is left.
  const keep = new Set(allowed);
  for (let round = 0; round < 4; round++) {
    for (const key of ownKeys(global)) {
      if (!keep.has(key)) deleteProperty(global, key);
    }
  }

  function ban(owner, key, name, hint) {
    const old = getOwnPropertyDescriptor(owner, key);
    if (old === undefined) return;
    const value = { [key]() { refuse(name, hint); } }[key];
    defineProperty(owner, key, { value, writable: false, enumerable: old.enumerable, configurable: false });
  }

  const NativeDate = Date;
  deleteProperty(NativeDate.prototype, "toTemporalInstant");
  function GuestDate(...parts) {
    if (new.target === undefined) refuse("Date()", "it would tell the time of the build");
    if (parts.length === 0) refuse("new Date()", "give it a moment, such as new Date(\"2026-01-01T00:00:00Z\")");
    return Reflect.construct(NativeDate, parts, new.target);
  }
  defineProperty(GuestDate, "name", { value: "Date", configurable: true });
  defineProperty(GuestDate, "length", { value: 7, configurable: true });
  for (const key of ["parse", "UTC"]) defineProperty(GuestDate, key, getOwnPropertyDescriptor(NativeDate, key));
  defineProperty(GuestDate, "now", { value: NativeDate.now, configurable: true });
  defineProperty(GuestDate, "prototype", { value: NativeDate.prototype, writable: false });
  defineProperty(NativeDate.prototype, "constructor", { value: GuestDate, writable: true, enumerable: false, configurable: true });
  defineProperty(global, "Date", { value: GuestDate, writable: true, enumerable: false, configurable: true });
  ban(GuestDate, "now", "Date.now", "it would tell the time of the build");
  ban(Math, "random", "Math.random", "a build has no chance in it");

  // A buffer that can grow lies in memory that V8 takes from the system by itself, past the cap on buffers.
  const NativeArrayBuffer = ArrayBuffer;
  function GuestArrayBuffer(length, options) {
    if (new.target === undefined) throw new NativeTypeError("Constructor ArrayBuffer requires 'new'");
    const growable = (typeof options === "object" || typeof options === "function") && options !== null && options.maxByteLength !== undefined;
    if (growable) refuse("maxByteLength", "a build has no buffers that grow");
    return Reflect.construct(NativeArrayBuffer, [length], new.target);
  }
  defineProperty(GuestArrayBuffer, "name", { value: "ArrayBuffer", configurable: true });
  defineProperty(GuestArrayBuffer, "isView", getOwnPropertyDescriptor(NativeArrayBuffer, "isView"));
  defineProperty(GuestArrayBuffer, Symbol.species, getOwnPropertyDescriptor(NativeArrayBuffer, Symbol.species));
  defineProperty(GuestArrayBuffer, "prototype", { value: NativeArrayBuffer.prototype, writable: false });
  defineProperty(NativeArrayBuffer.prototype, "constructor", { value: GuestArrayBuffer, writable: true, enumerable: false, configurable: true });
  defineProperty(global, "ArrayBuffer", { value: GuestArrayBuffer, writable: true, enumerable: false, configurable: true });

  // A processor chooses the bits of a NaN that it computes, and they differ between processors. So bits are only seen through a
  // DataView, which writes one NaN: an array of floats shares its memory with nothing.
  const { apply } = Reflect;
  const byteLength = getOwnPropertyDescriptor(NativeArrayBuffer.prototype, "byteLength").get;
  const isBuffer = (value) => {
    try {
      apply(byteLength, value, []);
      return true;
    } catch {
      return false;
    }
  };
  const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
  const [kindOf, bufferOf, byteOffsetOf, lengthOf] = [Symbol.toStringTag, "buffer", "byteOffset", "length"].map((key) => {
    const { get } = getOwnPropertyDescriptor(TypedArrayPrototype, key);
    return (array) => apply(get, array, []);
  });
  const bits = "the bits of a NaN differ between processors; use a DataView, which writes one NaN";
  const canonical = [["Float16Array", "setUint16", 0x7e00], ["Float32Array", "setUint32", 0x7fc00000], ["Float64Array", "setBigUint64", 0x7ff8000000000000n]];
  for (const [name, setBits, nan] of canonical) {
    const Native = global[name];
    const GuestFloats = { [name]: function (...parts) {
      if (new.target === undefined) throw new NativeTypeError("Constructor " + name + " requires 'new'");
      if (isBuffer(parts[0])) refuse("new " + name + "(buffer)", bits);
      return Reflect.construct(Native, parts, new.target);
    } }[name];
    defineProperty(GuestFloats, "name", { value: name, configurable: true });
    defineProperty(GuestFloats, "length", { value: 3, configurable: true });
    defineProperty(GuestFloats, "BYTES_PER_ELEMENT", { value: Native.BYTES_PER_ELEMENT, writable: false, enumerable: false, configurable: false });
    Reflect.setPrototypeOf(GuestFloats, getPrototypeOf(Native));
    defineProperty(GuestFloats, "prototype", { value: Native.prototype, writable: false });
    defineProperty(Native.prototype, "constructor", { value: GuestFloats, writable: true, enumerable: false, configurable: true });
    defineProperty(global, name, { value: GuestFloats, writable: true, enumerable: false, configurable: true });
    // Without the species that an author may set, which would be handed the memory.
    const within = (index, length, otherwise) => {
      const whole = index === undefined ? otherwise : Math.trunc(Number(index)) || 0;
      return whole < 0 ? Math.max(length + whole, 0) : Math.min(whole, length);
    };
    const subarray = { subarray(begin, end) {
      if (kindOf(this) !== name) throw new NativeTypeError("not a " + name);
      const length = lengthOf(this);
      const [from, to] = [within(begin, length, 0), within(end, length, length)];
      const parts = [bufferOf(this), byteOffsetOf(this) + from * Native.BYTES_PER_ELEMENT, Math.max(to - from, 0)];
      return Reflect.construct(Native, parts, GuestFloats);
    } }.subarray;
    defineProperty(Native.prototype, "subarray", { value: subarray, writable: true, enumerable: false, configurable: true });
    const setter = "set" + name.slice(0, -"Array".length);
    const nativeSet = DataView.prototype[setter];
    const nativeSetBits = DataView.prototype[setBits];
    const set = { [setter](offset, value, littleEndian) {
      const number = +value;
      return number !== number ? apply(nativeSetBits, this, [offset, nan, littleEndian]) : apply(nativeSet, this, [offset, number, littleEndian]);
    } }[setter];
    defineProperty(set, "length", { value: 2, configurable: true });
    defineProperty(DataView.prototype, setter, { value: set, writable: true, enumerable: false, configurable: true });
  }
  const shared = { get buffer() {
    const kind = kindOf(this);
    if (kind !== undefined && kind.startsWith("Float")) refuse(kind + ".prototype.buffer", bits);
    return bufferOf(this);
  } };
  defineProperty(TypedArrayPrototype, "buffer", { get: getOwnPropertyDescriptor(shared, "buffer").get, set: undefined, enumerable: false, configurable: true });

  // The text of a function would show how this program lowers and hardens, and change with both.
  const FUNCTION_TEXT = "function () { [not available in a build] }";
  defineProperty(Function.prototype, "toString", {
    value: { toString() {
      if (typeof this !== "function") throw new NativeTypeError("Function.prototype.toString requires that 'this' be a Function");
      return FUNCTION_TEXT;
    } }.toString,
    writable: true, enumerable: false, configurable: true,
  });

  // Not the language's own: what it is given stays text.
  defineProperty(global, "eval", { value: { eval() { refuse("eval", "a build runs no code made from text"); } }.eval, writable: false, enumerable: false, configurable: false });

  // ICU takes memory beside V8's heap for this, many times the text's; whether it gets it must not be an answer.
  const NORMALIZED_MAX_CHARS = 1 << 20;
  const nativeNormalize = String.prototype.normalize;
  const callNormalize = Function.prototype.call.bind(nativeNormalize);
  defineProperty(String.prototype, "normalize", {
    value: { normalize(form) {
      if (this === undefined || this === null) throw new NativeTypeError("String.prototype.normalize called on null or undefined");
      const text = `${this}`;
      if (text.length > NORMALIZED_MAX_CHARS) refuse("normalize", "not for texts of more than 1,048,576 characters");
      return form === undefined ? callNormalize(text) : callNormalize(text, form);
    } }.normalize,
    writable: true, enumerable: false, configurable: true,
  });

  const codeUnits = "compare with < and >, which go by code units";
  ban(String.prototype, "localeCompare", "String.prototype.localeCompare", codeUnits);
  const locale = "its answer depends on the place of the build";
  ban(String.prototype, "toLocaleUpperCase", "String.prototype.toLocaleUpperCase", locale);
  ban(String.prototype, "toLocaleLowerCase", "String.prototype.toLocaleLowerCase", locale);
  const TypedArray = getPrototypeOf(Uint8Array);
  for (const constructor of [Object, Array, Number, BigInt, TypedArray, NativeDate]) {
    const owner = constructor === NativeDate ? "Date" : constructor.name;
    for (const key of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
      ban(constructor.prototype, key, owner + ".prototype." + key, locale);
    }
  }

  // A frozen property can't be shadowed by assignment: `this.name = …` in a class of errors, `list.map = …`, `Prices.of = …` in a class
  // that extends a built-in. So wherever an author's object may inherit from, what could be assigned becomes an accessor, whose setter
  // does what assigning to the object itself would have done.
  const asText = String;
  function assign(key, receiver, value) {
    if ((typeof receiver !== "object" && typeof receiver !== "function") || receiver === null) {
      throw new NativeTypeError("Cannot create property '" + asText(key) + "' on a " + typeof receiver);
    }
    const own = getOwnPropertyDescriptor(receiver, key);
    const done = own === undefined
      ? defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true })
      : own.writable === true && defineProperty(receiver, key, { value });
    if (done) return;
    // A built-in itself has an accessor here, one of these.
    const what = own === undefined ? "Cannot add property '" : "Cannot assign to read only property '";
    throw new NativeTypeError(what + asText(key) + "', since the object is closed");
  }
  const setters = new Map();
  function setterOf(key) {
    const known = setters.get(key);
    if (known !== undefined) return known;
    const { set } = { set(value) { assign(key, this, value); } };
    setters.set(key, set);
    return set;
  }
  function allowShadowing(owner, key, { value, enumerable }, freeze) {
    const get = () => value;
    const set = setterOf(key);
    defineProperty(owner, key, { get, set, enumerable, configurable: false });
    freeze(get);
    freeze(set);
  }

  // V8 and ICU load some of what they need at first use, from files; the sandbox that comes next knows no files.
  new NativeDate(2026, 0, 1).toString();
  "\u00e9".normalize("NFD").normalize("NFKC").toUpperCase().toLowerCase();

  // Intrinsics that no name leads to.
  const hidden = [
    function* () {}, async function () {}, async function* () {}, () => {},
    [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ""[Symbol.iterator](),
    "".matchAll(/x/g), (function* () {})(), (async function* () {})(), [].values().map((x) => x), Iterator.from({ next() {} }),
    (function () { return arguments; })(), getOwnPropertyDescriptor((function () { return arguments; })(), "callee"),
    getOwnPropertyDescriptor(new NativeTypeError(), "stack"),
  ];
  const { freeze } = Object;
  const closed = new Set(roots); // A module namespace is closed by nature.
  const seen = new Set();
  const open = [global, ...hidden, ...roots];
  const reach = (value) => {
    if ((typeof value === "object" && value !== null) || typeof value === "function") {
      if (!seen.has(value)) {
        seen.add(value);
        open.push(value);
      }
    }
  };
  // What an author's objects and classes may inherit from, and every property that could be assigned.
  const parents = new Set();
  const assignable = [];
  const { prototype: FunctionPrototype } = Function;
  for (let at = 0; at < open.length; at++) {
    const value = open[at];
    const isFunction = typeof value === "function";
    const prototype = getPrototypeOf(value);
    const keys = ownKeys(value);
    // Most are methods, and have nothing else: a number and a text lead nowhere.
    if (isFunction && prototype === FunctionPrototype && keys.length === 2 && keys[0] === "length" && keys[1] === "name") continue;
    if (prototype !== null) parents.add(prototype);
    reach(prototype);
    for (let k = 0; k < keys.length; k++) {
      const key = keys[k];
      const own = getOwnPropertyDescriptor(value, key);
      // A constructor's other members are V8's own to read, such as `Error.stackTraceLimit`.
      const isShadowed = own.writable === true && own.configurable && (!isFunction || typeof own.value === "function");
      if (isShadowed) assignable.push(value, key, own);
      if (isFunction && key === "prototype") {
        parents.add(value);
        if (own.value !== undefined) parents.add(own.value);
      }
      reach(own.value);
      reach(own.get);
      reach(own.set);
    }
  }
  for (let at = 0; at < assignable.length; at += 3) {
    if (parents.has(assignable[at])) allowShadowing(assignable[at], assignable[at + 1], assignable[at + 2], freeze);
  }
  for (let at = 0; at < open.length; at++) {
    if (!closed.has(open[at])) freeze(open[at]);
  }

  // What was matched so far stands in the statics of RegExp. The guest finds them empty.
  /^/.exec("");
});
