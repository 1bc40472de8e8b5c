import type { WebClient } from '@slack/web-api';

/** Among more people nobody looks for guests. */
export const MOST_MEMBERS = 1_000;

const PAGE = 200;
const MOST_PAGES = 10;

/** Accounts of everybody in a channel; null where they are too many to be told. */
export async function membersOf(channel: string, web: WebClient): Promise<readonly string[] | null> {
  const found: string[] = [];
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const at = cursor === '' ? {} : { cursor };
    const told = await web.conversations.members({ channel, limit: PAGE, ...at });
    found.push(...(told.members ?? []));
    if (found.length > MOST_MEMBERS) return null;
    cursor = told.response_metadata?.next_cursor ?? '';
    if (cursor === '') return found;
  }
  return null;
}
