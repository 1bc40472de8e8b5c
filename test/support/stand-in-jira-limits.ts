import { millisecondsInHour } from 'date-fns/constants';
import type { JiraAnswer } from './stand-in-jira-answer.ts';

/** What a site allows. Points are not counted for API tokens. */
export interface JiraLimits {
  readonly pointsPerHour: number;
  /** Of each method and endpoint. */
  readonly burstPerSecond: number;
}

/** As Atlassian documents them for apps. */
export const documentedLimits: JiraLimits = { pointsPerHour: 65_000, burstPerSecond: 100 };

/** Counts what is asked and refuses what is too much, as documented for Jira Cloud (state of 2026). */
export function createLimiter(limits: JiraLimits | null, counted: boolean, now: () => number) {
  let hour = -1;
  let inHour = 0;
  let points = 0;
  let refusals = 0;
  let busiestSecond = 0;
  const bursts = new Map<string, { second: number; count: number }>();

  /** A refusal, or null when there is room. */
  function pass(endpoint: string): JiraAnswer | null {
    const at = now();
    const burst = bursts.get(endpoint);
    const second = Math.floor(at / 1000);
    const count = burst?.second === second ? burst.count + 1 : 1;
    bursts.set(endpoint, { second, count });
    busiestSecond = Math.max(busiestSecond, count);
    if (Math.floor(at / millisecondsInHour) !== hour) {
      hour = Math.floor(at / millisecondsInHour);
      inHour = 0;
    }
    if (limits === null) return null;
    if (count > limits.burstPerSecond) {
      return tooMany('jira-burst-based', limits.burstPerSecond, (second + 1) * 1000 - at, at);
    }
    if (counted && inHour >= limits.pointsPerHour) {
      return tooMany(
        'jira-quota-tenant-based',
        limits.pointsPerHour,
        (hour + 1) * millisecondsInHour - at,
        at,
      );
    }
    return null;
  }

  function tooMany(reason: string, limit: number, waitMs: number, at: number): JiraAnswer {
    refusals += 1;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    return {
      status: 429,
      body: { errorMessages: ['Rate limit exceeded.'], errors: {} },
      headers: {
        'Retry-After': String(seconds),
        'RateLimit-Reason': reason,
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': new Date(at + seconds * 1000).toISOString(),
      },
    };
  }

  return {
    pass,
    /** What an answer costs: a point for the request and one for each object, two for people and groups. */
    charge({ objects }: JiraAnswer): number {
      const cost = 1 + (objects?.count ?? 0) * (objects?.identities ? 2 : 1);
      points += cost;
      inHour += cost;
      return cost;
    },
    spent: () => ({ points, inHour, refusals, busiestSecond }),
  };
}
