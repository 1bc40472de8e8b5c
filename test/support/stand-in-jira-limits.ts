import type { JiraAnswer } from './stand-in-jira-answer.ts';

/** What a site allows. */
export interface JiraLimits {
  /** Of each method and endpoint. */
  readonly burstPerSecond: number;
}

/** As Atlassian documents them for apps. */
export const documentedLimits: JiraLimits = { burstPerSecond: 100 };

/** Counts what is asked and refuses what is too much, as documented for Jira Cloud (state of 2026). */
export function createLimiter(limits: JiraLimits | null, now: () => number) {
  let points = 0;
  let refusals = 0;
  let busiestSecond = 0;
  const bursts = new Map<string, { second: number; count: number }>();

  return {
    /** A refusal, or null when there is room. */
    pass(endpoint: string): JiraAnswer | null {
      const second = Math.floor(now() / 1000);
      const burst = bursts.get(endpoint);
      const count = burst?.second === second ? burst.count + 1 : 1;
      bursts.set(endpoint, { second, count });
      busiestSecond = Math.max(busiestSecond, count);
      if (limits === null || count <= limits.burstPerSecond) return null;
      refusals += 1;
      return {
        status: 429,
        body: { errorMessages: ['Rate limit exceeded.'], errors: {} },
        headers: {
          'Retry-After': '1',
          'RateLimit-Reason': 'jira-burst-based',
          'X-RateLimit-Limit': String(limits.burstPerSecond),
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': new Date(now() + 1000).toISOString(),
        },
      };
    },
    /** Adds what an answer costs: a point for the request and one for each object, two for people and groups. */
    charge({ objects }: JiraAnswer): void {
      points += 1 + (objects?.count ?? 0) * (objects?.identities ? 2 : 1);
    },
    spent: () => ({ points, refusals, busiestSecond }),
  };
}
