import { z } from 'zod';
import { secret } from '../../api/parameters/parameter.ts';
import { bringsAdmin } from '../../api/people/create-people.ts';
import type { ChatAccount, PeopleApi } from '../../api/people/people-api.ts';
import { AppError } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { escapeMarkup, pageOf, pageReply } from '../page.ts';
import type { TypedReply } from '../route.ts';

/** What a link from Slack holds. */
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
        403: pageOf('An admin has linked the account: the page says who can change that.'),
        404: pageOf('The ticket is missing, false, old or used: the page says how to get another.'),
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
        403: pageOf(
          'The token belongs to no user: the page says why, and asks again. Or an admin has linked the account: the page says who can change that.',
        ),
        404: pageOf('The ticket is missing, false, old or used: the page says how to get another.'),
      },
    },
    async answer({ ticket, token }, _principal, { people }) {
      const found = await findInvitation(ticket, people);
      if ('refusal' in found) return found.refusal;
      const { invitation } = found;
      try {
        const link = await people.accept(ticket, token);
        const { user: id } = link;
        const { name = id, admin = false } = (await people.users()).get(id) ?? {};
        return linkReply(
          200,
          linkedView(invitation, { id, name, withoutAdmin: admin && !bringsAdmin(link) }),
        );
      } catch (error) {
        const problem = problemOf(error);
        if (problem === null) throw error;
        return linkReply(403, linkForm({ invitation, ticket, problem }));
      }
    },
  }),
];

/** What is wrong with a token; null where something else failed. */
function problemOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  // What the ticket leads to may have changed meanwhile, too.
  if (error.code === 'not-found' || error.code === 'not-allowed') return error.message;
  return error.code === 'not-authenticated'
    ? 'This token is not valid: it is not one of ours, has expired or was switched off. An admin of Dwell can issue another.'
    : null;
}

/** Who was invited by a ticket; where it leads nowhere, the page that says so instead. */
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
    if (error.code === 'not-allowed') return { refusal: linkReply(403, takenView(error.message)) };
    throw error;
  }
}

/** A page about linking an account, around what it says. */
function linkReply(status: number, content: string): TypedReply {
  return pageReply(status, 'Link an account', content);
}

/** What the form is filled with; `problem` is what was wrong with the token before, in whole sentences. */
interface LinkForm {
  readonly invitation: ChatAccount;
  readonly ticket: string;
  readonly problem: string | null;
}

/** Says whose account is to be linked, and asks for the token of the user it is to be linked to. */
function linkForm({ invitation, ticket, problem }: LinkForm): string {
  return `${problem === null ? '' : `<p class="wrong" role="alert">${escapeMarkup(problem)}</p>`}
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

/** Who an account is now. `withoutAdmin`: they are an admin, but not by the token that they entered. */
interface LinkedUser {
  readonly id: string;
  readonly name: string;
  readonly withoutAdmin: boolean;
}

/** Says who is linked to whom now, and whether rights were left behind. */
function linkedView(invitation: ChatAccount, { id, name, withoutAdmin }: LinkedUser): string {
  const named = name === id ? '' : ` (${escapeMarkup(id)})`;
  return `<p role="status">The Slack account ${accountOf(invitation)} is linked to <strong>${escapeMarkup(name)}</strong>${named} now.</p>
${withoutAdmin ? lessRights : ''}<p>You can close this page. To undo it, ask an admin of Dwell.</p>`;
}

const lessRights = `<p>You do not get admin rights: the token is one without them. To have them in Slack, get a new
link there and enter a token that was issued with <code>--admin</code>.</p>
`;

/** Says that whose the account is has been decided already; `why` is in whole sentences. */
function takenView(why: string): string {
  return `<p class="wrong" role="alert">${escapeMarkup(why)}</p>
<p>Nothing has changed.</p>`;
}

/** Says that the link leads nowhere any more, and how to get another. */
const staleView = `<p class="wrong" role="alert">This link is no longer valid: it works once, for 15 minutes.</p>
<p>Ask Dwell in Slack again, and open the new link.</p>`;

/** Says that the address was not opened as it was sent, and where to get it. */
const ticketlessView = `<p class="wrong" role="alert">This page is opened with a link from Dwell in Slack, and this address is
incomplete.</p>
<p>Open the link as it was sent, or ask Dwell in Slack for another.</p>`;

function accountOf({ name, account }: ChatAccount): string {
  return `<strong>${escapeMarkup(name)}</strong> (${escapeMarkup(account)})`;
}
