//? DEFAULT_EXPORT_MISSING
export default undefined;
