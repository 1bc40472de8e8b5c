import type { SlackParts } from '../command.ts';
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
      create: (owner, wish) => after([owner.account], digests.create(owner, wish)),
      change: (asker, id, changes) => after([asker.account], digests.change(asker, id, changes)),
      pause: (asker, id) => after([asker.account], digests.pause(asker, id)),
      resume: (asker, id) => after([asker.account], digests.resume(asker, id)),
      handOver: (asker, id, account) => after([asker.account, account], digests.handOver(asker, id, account)),
      takeOver: (asker, id, gone) => after([asker.account, gone], digests.takeOver(asker, id, gone)),
      remove: (asker, id) => after([asker.account], digests.remove(asker, id)),
    },
    watches: {
      ...watches,
      create: (owner, wish) => after([owner.account], watches.create(owner, wish)),
      pause: (asker, id) => after([asker.account], watches.pause(asker, id)),
      resume: (asker, id) => after([asker.account], watches.resume(asker, id)),
      remove: (asker, id) => after([asker.account], watches.remove(asker, id)),
    },
  };
}
