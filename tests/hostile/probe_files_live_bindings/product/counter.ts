export let count = 0; export function up() { count += 1; return count; } export default { x: {} };
