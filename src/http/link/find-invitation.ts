import type { ChatAccount, PeopleApi } from '../../api/people/people-api.ts';
import { AppError } from '../../model/error.ts';
import type { BodyReply } from '../route.ts';
import { linkReply } from './link-reply.ts';
import { staleView, takenView, ticketlessView } from './link-views.ts';

/** Who was invited by a ticket; where it leads nowhere, the page that says so instead. */
export async function findInvitation(
  ticket: string,
  people: PeopleApi,
): Promise<{ readonly invitation: ChatAccount } | { readonly refusal: BodyReply }> {
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
