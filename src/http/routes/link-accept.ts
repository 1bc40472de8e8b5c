import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { findInvitation } from '../link/find-invitation.ts';
import { invitationTicket, pageOf } from '../link/link-facts.ts';
import { linkReply } from '../link/link-reply.ts';
import { linkedView, linkForm, staleView } from '../link/link-views.ts';
import { text } from '../parameter.ts';

/** Links an account in Slack to the user of a token. */
export const linkAccept = defineRoute({
  methods: ['post'],
  paths: ['/link'],
  guarded: false,
  section: 'Service',
  summary: 'Link an account in Slack to the user of a token',
  parameters: z.object({
    ticket: invitationTicket,
    token: text.default('').meta({ description: 'A token of the user, which proves who they are.' }),
  }),
  formOnly: ['token'],
  answers: {
    description: 'A page that says who is linked to whom now.',
    content: { 'text/html': z.string() },
    others: {
      403: pageOf('The token proves nobody: the page says why, and asks again.'),
      404: pageOf('The ticket is false or old: the page says how to get another.'),
    },
  },
  async answer({ ticket, token }, _asker, { people }) {
    const invitation = await findInvitation(ticket, people);
    if (invitation === null) return linkReply(404, staleView);
    try {
      const { user } = await people.accept(ticket, token);
      const name = (await people.users()).get(user)?.name ?? user;
      return linkReply(200, linkedView(invitation, { id: user, name }));
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
  if (error.code === 'not-found') return error.message;
  return error.code === 'not-authenticated'
    ? 'This token does not hold: it is not one of ours, has expired or was switched off. An administrator of Dwell can issue another.'
    : null;
}
