import { type ChatAccount, createPeople } from '../../../src/api/people/create-people.ts';
import { createTokens } from '../../../src/api/people/tokens.ts';
import type { Instant } from '../../../src/model/issue.ts';
import { openTestStore } from '../../support/open-test-store.ts';

/** The ticket of a link as Slack would send it from the Dwell that keeps its data in the folder. */
export async function anInvitation(dataDir: string, at: Instant, invitation: ChatAccount): Promise<string> {
  const store = await openTestStore(dataDir);
  const now = () => at;
  const people = createPeople({
    links: async () => store.documents('sample').links,
    users: async () => new Map(),
    tokens: createTokens({ store, now }),
    now,
  });
  const ticket = await people.createLinkToken(invitation);
  store.close();
  return ticket;
}
