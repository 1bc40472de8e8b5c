import { createPeople } from '../../../src/api/create-people.ts';
import type { Invitation } from '../../../src/api/people.ts';
import { createTokens } from '../../../src/api/tokens.ts';
import type { Instant } from '../../../src/model/issue.ts';
import { openTestStore } from '../../support/open-test-store.ts';

/** The ticket of a link as Slack would send it from the Dwell that keeps its data in the folder. */
export async function anInvitation(dataDir: string, at: Instant, invitation: Invitation): Promise<string> {
  const store = openTestStore(dataDir);
  const now = () => at;
  const people = createPeople({
    links: async () => store.links('sample'),
    users: async () => new Map(),
    tokens: createTokens({ store: store.tokens, tenant: store.tenant, now }),
    now,
  });
  const ticket = await people.invite(invitation);
  store.close();
  return ticket;
}
