// a recursion that is caught at the bottom, counted and thrown anew
import { Plan, Product, Raw } from "@svc/product";

let n = 0; const dive = () => { n++; try { dive(); } catch { throw new RangeError("told"); } finally { n += 0; } };
try { dive(); } catch (error) { n = -n; }
const told = [String(n)];
//= BUILD_STACK_OVERFLOW
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ v: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
