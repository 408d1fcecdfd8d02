export const Plan = (..._args: unknown[]) => (..._place: unknown[]): void => {};
