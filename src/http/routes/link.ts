import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { findInvitation } from '../link/find-invitation.ts';
import { invitationTicket } from '../link/link-facts.ts';
import { linkReply } from '../link/link-reply.ts';
import { linkForm } from '../link/link-views.ts';
import { pageOf } from '../page/page-of.ts';

/** The page on which somebody proves whose account in Slack it is. */
export const link = defineRoute({
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
});
