import { z } from 'zod';
import { secret } from '../../api/parameters/parameter.ts';
import { bringsAdmin, type ChatAccount, type PeopleApi } from '../../api/people/create-people.ts';
import { AppError } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { describedPage, escapeMarkup, pageReply, problemMarkup } from '../page.ts';
import type { TypedReply } from '../route.ts';

/** The ticket in a link from Slack. */
const invitationTicket = secret(
  'The ticket of the link, valid once and for 15 minutes. Without it, the page explains how to get one.',
);

/** Every route of linking accounts. */
export const linkRoutes = [
  defineRoute({
    id: 'getLinkPage',
    methods: ['get'],
    paths: ['/link'],
    guarded: false,
    section: 'Service',
    summary: 'The page that links an account in Slack to a Jira user',
    parameters: z.object({ ticket: invitationTicket }),
    answers: {
      description: 'A form that names the account and asks for the token of its user.',
      content: { 'text/html': z.string() },
      others: {
        403: describedPage('An admin has linked the account: the page says who can change that.'),
        404: describedPage('The ticket is missing, false, old or used: the page says how to get another.'),
      },
    },
    async answer({ ticket }, _principal, { people }) {
      const found = await findInvitation(ticket, people);
      if ('refusal' in found) return found.refusal;
      return linkReply(200, linkForm({ invitation: found.invitation, ticket, problem: null }));
    },
  }),
  defineRoute({
    id: 'linkAccount',
    methods: ['post'],
    paths: ['/link'],
    guarded: false,
    section: 'Service',
    summary: 'Link an account in Slack to the user of a token',
    parameters: z.object({
      ticket: invitationTicket,
      token: secret('A token of the user, which proves who they are.'),
    }),
    formOnly: ['token'],
    answers: {
      description: 'A page with the account and the user that are linked now.',
      content: { 'text/html': z.string() },
      others: {
        403: describedPage(
          'The token belongs to no user: the page says why, and asks again. Or an admin has linked the account: the page says who can change that.',
        ),
        404: describedPage('The ticket is missing, false, old or used: the page says how to get another.'),
      },
    },
    async answer({ ticket, token }, _principal, { people }) {
      const found = await findInvitation(ticket, people);
      if ('refusal' in found) return found.refusal;
      const { invitation } = found;
      try {
        const link = await people.accept(ticket, token);
        const { user } = link;
        const { name = user, admin = false } = (await people.users()).get(user) ?? {};
        const withoutAdmin = admin && !bringsAdmin(link);
        return linkReply(200, linkedView(invitation, { user, name, withoutAdmin }));
      } catch (error) {
        const problem = problemOf(error);
        if (problem === null) throw error;
        return linkReply(403, linkForm({ invitation, ticket, problem }));
      }
    },
  }),
];

/** The problem with a token, as a sentence; null if something else failed. */
function problemOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  // The ticket or its account can have changed meanwhile, too.
  if (error.code === 'not-found' || error.code === 'not-allowed') return error.message;
  return error.code === 'not-authenticated'
    ? 'This token is not valid: it is not one of ours, has expired or was switched off. An admin of Dwell can issue another.'
    : null;
}

/** The account of a ticket, or the page that says why there is none. */
async function findInvitation(
  ticket: string,
  people: PeopleApi,
): Promise<{ readonly invitation: ChatAccount } | { readonly refusal: TypedReply }> {
  if (ticket === '') return { refusal: linkReply(404, ticketlessView) };
  try {
    return { invitation: await people.readLinkToken(ticket) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not-found') return { refusal: linkReply(404, staleView) };
    // An admin has linked the account.
    if (error.code === 'not-allowed')
      return { refusal: linkReply(403, `${problemMarkup(error.message)}\n<p>Nothing has changed.</p>`) };
    throw error;
  }
}

function linkReply(status: number, content: string): TypedReply {
  return pageReply(status, 'Link an account', content);
}

/** Values of the form; `problem` is about the token that was entered before, in whole sentences. */
interface LinkForm {
  readonly invitation: ChatAccount;
  readonly ticket: string;
  readonly problem: string | null;
}

/** The form that names the account and requests the token of the user it is linked to. */
function linkForm({ invitation, ticket, problem }: LinkForm): string {
  return `${problem === null ? '' : problemMarkup(problem)}
<p>The Slack account ${accountOf(invitation)} will be linked to the Jira user whose token you enter. Dwell then answers
with that user's permissions.</p>
<p>Go on only if the account is yours. Otherwise close this page: nothing has changed.</p>
<form method="post" action="link">
<input type="hidden" name="ticket" value="${escapeMarkup(ticket)}">
<label>Your token, as an admin of Dwell issued it to you
<input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
<button>Link</button>
</form>`;
}

/** The page of a linked account. `withoutAdmin`: the user is an admin, but not by the token that was entered. */
function linkedView(
  invitation: ChatAccount,
  { user: id, name, withoutAdmin }: { user: string; name: string; withoutAdmin: boolean },
): string {
  const named = name === id ? '' : ` (${escapeMarkup(id)})`;
  return `<p role="status">The Slack account ${accountOf(invitation)} is linked to <strong>${escapeMarkup(name)}</strong>${named} now.</p>
${withoutAdmin ? lessRights : ''}<p>You can close this page. To undo it, ask an admin of Dwell.</p>`;
}

const lessRights = `<p>You do not get admin rights: the token is one without them. To have them in Slack, get a new
link there and enter a token that was issued with <code>--admin</code>.</p>
`;

const staleView = `${problemMarkup('This link is no longer valid: it works once, for 15 minutes.')}
<p>Ask Dwell in Slack again, and open the new link.</p>`;

const ticketlessView = `${problemMarkup('This page is opened with a link from Dwell in Slack, and this address is\nincomplete.')}
<p>Open the link as it was sent, or ask Dwell in Slack for another.</p>`;

function accountOf({ name, account }: ChatAccount): string {
  return `<strong>${escapeMarkup(name)}</strong> (${escapeMarkup(account)})`;
}
