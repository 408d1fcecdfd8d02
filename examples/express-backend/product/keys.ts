// The keys of the product, once: the class declares them, the backend reports them, pages ask for them.

export const meters = { compute: "compute_ms" } as const;
export const plans = { starter: "starter" } as const;
export const features = { jobs: "jobs" } as const;

export type MeterKey = (typeof meters)[keyof typeof meters];
export type PlanKey = (typeof plans)[keyof typeof plans];
export type FeatureKey = (typeof features)[keyof typeof features];
