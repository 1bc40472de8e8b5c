import type { SlackParts } from '../parts.ts';
import type { Homes } from './homes.ts';

type Told = Pick<SlackParts, 'digests' | 'watches'>;

/** The same ports, whose changes the Home tabs of those they belong to follow; nobody waits for that. */
export function followedBy({ follow }: Pick<Homes, 'follow'>, { digests, watches }: Told): Told {
  async function after<Result>(accounts: readonly string[], change: Promise<Result>): Promise<Result> {
    const changed = await change;
    for (const account of accounts) void follow(account);
    return changed;
  }
  return {
    digests: {
      ...digests,
      create: (owner, input) => after([owner.account], digests.create(owner, input)),
      change: (principal, id, changes) => after([principal.account], digests.change(principal, id, changes)),
      pause: (principal, id) => after([principal.account], digests.pause(principal, id)),
      resume: (principal, id) => after([principal.account], digests.resume(principal, id)),
      handOver: (principal, id, account) =>
        after([principal.account, account], digests.handOver(principal, id, account)),
      takeOver: (principal, id, gone) =>
        after([principal.account, gone], digests.takeOver(principal, id, gone)),
      remove: (principal, id) => after([principal.account], digests.remove(principal, id)),
    },
    watches: {
      ...watches,
      create: (by, input) => after([by.owner.account], watches.create(by, input)),
      pause: (principal, id) => after([principal.account], watches.pause(principal, id)),
      resume: (principal, id) => after([principal.account], watches.resume(principal, id)),
      remove: (principal, id) => after([principal.account], watches.remove(principal, id)),
    },
  };
}
