import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';

/** So many people are asked for one by one; of more the whole workspace is read. */
const ONE_BY_ONE = 30;
const MOST_ASKED = 50;

const PAGE = 1_000;
const MOST_PAGES = 10;

/** What is read of a user in the form Slack's API shows them. */
interface Standing {
  readonly id?: string;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly is_stranger?: boolean;
}

/**
 * Whether guests, or strangers from elsewhere, are among these accounts; null where too many of them are not among the
 * people of the workspace that can be read. Fails as Slack does.
 */
export async function guestsAmong(accounts: readonly string[], web: WebClient): Promise<boolean | null> {
  const known = accounts.length > ONE_BY_ONE ? await everybody(web) : new Map<string, Standing>();
  const unknown = accounts.filter((account) => !known.has(account));
  if (accounts.some((account) => isGuest(known.get(account)))) return true;
  if (unknown.length > MOST_ASKED) return null;
  const asked = await pLimit(5).map(
    unknown,
    async (account) => (await web.users.info({ user: account })).user,
  );
  return asked.some(isGuest);
}

/** The people of the workspace by account; of a very large one the first ten thousand. */
async function everybody(web: WebClient): Promise<ReadonlyMap<string, Standing>> {
  const found = new Map<string, Standing>();
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const at = cursor === '' ? {} : { cursor };
    const { members = [], response_metadata: next } = await web.users.list({ limit: PAGE, ...at });
    for (const member of members) if (member.id !== undefined) found.set(member.id, member);
    cursor = next?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return found;
}

function isGuest(user: Standing | undefined): boolean {
  return user?.is_restricted === true || user?.is_ultra_restricted === true || user?.is_stranger === true;
}
