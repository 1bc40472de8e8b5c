import { z } from 'zod';
import { bringsAdmin } from '../../api/people/create-people.ts';

import { AppError } from '../../model/error.ts';
import { text } from '../../parameters/parameter.ts';
import { defineRoute } from '../define-route.ts';
import { findInvitation } from '../link/find-invitation.ts';
import { invitationTicket } from '../link/link-facts.ts';
import { linkReply } from '../link/link-reply.ts';
import { linkedView, linkForm } from '../link/link-views.ts';
import { pageOf } from '../page/page-of.ts';

/** Links an account in Slack to the user of a token. */
export const linkAccept = defineRoute({
  methods: ['post'],
  paths: ['/link'],
  guarded: false,
  section: 'Service',
  summary: 'Link an account in Slack to the user of a token',
  parameters: z.object({
    ticket: invitationTicket,
    token: text
      .default('')
      .meta({ description: 'A token of the user, which proves who they are.', format: 'password' }),
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
      return linkReply(200, linkedView(invitation, { id, name, withoutAdmin: admin && !bringsAdmin(link) }));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) throw error;
      return linkReply(403, linkForm({ invitation, ticket, problem }));
    }
  },
});

/** What is wrong with a token; null where something else failed. */
function problemOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  // What the ticket leads to may have changed meanwhile, too.
  if (error.code === 'not-found' || error.code === 'not-allowed') return error.message;
  return error.code === 'not-authenticated'
    ? 'This token is not valid: it is not one of ours, has expired or was switched off. An admin of Dwell can issue another.'
    : null;
}
