import type { PeopleApi } from '../../api/people/people-api.ts';

/** Whether anybody is an admin of the tracker; of imported issues nobody is, and then the command line does their work. */
export async function hasAdmins(people: Pick<PeopleApi, 'users'>): Promise<boolean> {
  return (await people.users()).values().some(({ admin }) => admin === true);
}
