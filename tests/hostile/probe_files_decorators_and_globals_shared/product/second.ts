import { Base, d, log } from "./base"; import "./third"; (Base as any).late = 1; @d("second") class Second extends Base { @d("over") override f = 9; } log.push(JSON.stringify(new Second()));
