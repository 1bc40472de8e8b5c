import type { WebClient } from '@slack/web-api';
import { remembered } from '../../formats/remembered.ts';
import type { Instant } from '../../model/issue.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';

/** How long what Slack told of somebody is believed. */
const KEPT_MS = 5 * 60_000;
const KEPT_ACCOUNTS = 1_000;

/** What Slack tells of somebody. `email` is null where it tells none, `refused` its word for telling nothing at all. */
export interface Profile {
  readonly name: string;
  readonly email: string | null;
  readonly refused: string | null;
}

/** The people of the workspace, as Slack tells them. A Slack that cannot be reached is `unavailable`. */
export interface Accounts {
  profileOf(account: string): Promise<Profile>;
  /** The account with an e-mail address; null where there is none, or none that we may know of. */
  withEmail(email: string): Promise<string | null>;
}

interface Kept {
  readonly until: Instant;
  readonly profile: Promise<Profile>;
}

/** Asks Slack, and remembers profiles for five minutes. */
export function createAccounts(web: WebClient, now: () => Instant): Accounts {
  const kept = new Map<string, Kept>();

  async function ask(account: string): Promise<Profile> {
    try {
      const { user } = await web.users.info({ user: account });
      const { email, real_name: realName } = user?.profile ?? {};
      return { name: realName ?? user?.name ?? account, email: email ?? null, refused: null };
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) throw tryAgain(error);
      return { name: account, email: null, refused };
    }
  }

  return {
    profileOf(account) {
      const known = kept.get(account);
      if (known !== undefined && known.until <= now()) kept.delete(account);
      const { profile } = remembered(kept, KEPT_ACCOUNTS, account, () => ({
        until: now() + KEPT_MS,
        profile: ask(account),
      }));
      // What failed, or was refused, may be put right at any moment.
      profile.then(
        ({ refused }) => refused !== null && kept.delete(account),
        () => kept.delete(account),
      );
      return profile;
    },

    async withEmail(email) {
      try {
        const { user } = await web.users.lookupByEmail({ email });
        return user?.id ?? null;
      } catch (error) {
        if (refusalOf(error) === null) throw tryAgain(error);
        return null;
      }
    },
  };
}
