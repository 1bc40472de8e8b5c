import type { Mirror } from './mirror.ts';

/**
 * The first mirror once it has been filled, the second until then; looked at anew with every question, so that a
 * running Dwell turns to the imported issues as soon as an import is done.
 */
export function preferFilled(first: Mirror, second: Mirror): Mirror {
  const chosen = async () => ((await first.filledAt()) === null ? second : first);
  return {
    tracker: async () => (await chosen()).tracker(),
    filledAt: async () => (await chosen()).filledAt(),
    issue: async (key) => (await chosen()).issue(key),
    statuses: async () => (await chosen()).statuses(),
    users: async () => (await chosen()).users(),
    recentKeys: async (count) => (await chosen()).recentKeys(count),
  };
}
