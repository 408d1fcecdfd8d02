// Every amount of money in CronCloud. Cents are US cents; micros are micro-dollars (one cent is 10,000 micros).

export const MONTHLY_CENTS = { starter: 1_900, scale: 9_900, team: 4_900 } as const;
export const ENTERPRISE_YEARLY_CENTS = 1_200_000;

/** For one millisecond of compute. */
export const COMPUTE_MS_MICROS = 12;
export const STARTER_INCLUDED_COMPUTE_MS = 1_000_000;

/** For one gigabyte that leaves the cloud. */
export const EGRESS_GB_MICROS = 90_000;
export const BYTES_PER_GB = 1_000_000_000;

/** For a thousand requests. */
export const REQUESTS_THOUSAND_MICROS = 400;

export const STARTER_CREDIT_CENTS = 500;
export const SCALE_CREDIT_CENTS = 10_000;
export const TEAM_CREDIT_CENTS = 2_500;
