import type { Invitation, PeopleApi } from '../../api/people.ts';
import { AppError } from '../../model/error.ts';

/** Who was invited by a ticket; null when it is false or old. */
export async function findInvitation(ticket: string, people: PeopleApi): Promise<Invitation | null> {
  try {
    return await people.readInvitation(ticket);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}
