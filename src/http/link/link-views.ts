import type { ChatAccount } from '../../api/people/people-api.ts';
import { escapeMarkup as text } from '../docs/markup.ts';

/** What the form is filled with; `problem` is what was wrong with the token before, in whole sentences. */
interface LinkForm {
  readonly invitation: ChatAccount;
  readonly ticket: string;
  readonly problem: string | null;
}

/** Says whose account is to be linked, and asks for the token of the user it is to be linked to. */
export function linkForm({ invitation, ticket, problem }: LinkForm): string {
  return `${problem === null ? '' : `<p class="wrong" role="alert">${text(problem)}</p>`}
<p>The Slack account ${accountOf(invitation)} will be linked to the Jira user whose token you enter. Dwell then answers
with that user's permissions.</p>
<p>Go on only if the account is yours. Otherwise close this page: nothing has changed.</p>
<form method="post" action="link">
<input type="hidden" name="ticket" value="${text(ticket)}">
<label>Your token, as an admin of Dwell issued it to you
<input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
<button>Link</button>
</form>`;
}

/** Who an account is now. `withoutAdmin`: they are an admin, but not by the token that they entered. */
interface LinkedUser {
  readonly id: string;
  readonly name: string;
  readonly withoutAdmin: boolean;
}

/** Says who is linked to whom now, and whether rights were left behind. */
export function linkedView(invitation: ChatAccount, { id, name, withoutAdmin }: LinkedUser): string {
  const named = name === id ? '' : ` (${text(id)})`;
  return `<p role="status">The Slack account ${accountOf(invitation)} is linked to <strong>${text(name)}</strong>${named} now.</p>
${withoutAdmin ? lessRights : ''}<p>You can close this page. To undo it, ask an admin of Dwell.</p>`;
}

const lessRights = `<p>You do not get admin rights: the token is one without them. To have them in Slack, get a new
link there and enter a token that was issued with <code>--admin</code>.</p>
`;

/** Says that whose the account is has been decided already; `why` is in whole sentences. */
export function takenView(why: string): string {
  return `<p class="wrong" role="alert">${text(why)}</p>
<p>Nothing has changed.</p>`;
}

/** Says that the link leads nowhere any more, and how to get another. */
export const staleView = `<p class="wrong" role="alert">This link is no longer valid: it works once, for 15 minutes.</p>
<p>Ask Dwell in Slack again, and open the new link.</p>`;

/** Says that the address was not opened as it was sent, and where to get it. */
export const ticketlessView = `<p class="wrong" role="alert">This page is opened with a link from Dwell in Slack, and this address is
incomplete.</p>
<p>Open the link as it was sent, or ask Dwell in Slack for another.</p>`;

function accountOf({ name, account }: ChatAccount): string {
  return `<strong>${text(name)}</strong> (${text(account)})`;
}
