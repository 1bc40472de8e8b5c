import { normalHoursDefinition } from '../../api/settings/local-settings.ts';
import { AppError, badRequest } from '../../model/error.ts';
import { ask } from '../../model/request.ts';
import type { DoorParts, Place } from '../command.ts';
import { offeredReports } from '../exports/offered-reports.ts';
import { hoursHere } from '../hours-here.ts';
import { knownPrincipal, resolvePrincipal } from '../people/resolve-principal.ts';
import type { Asking, ReadWords } from './asking.ts';
import { inTypedWords } from './in-typed-words.ts';
import { knownNames } from './known-names.ts';
import { asLiteral } from './quotes.ts';
import { readWords } from './read-words.ts';
import { requestsOf } from './requests-of.ts';
import { usualProjects } from './usual-projects.ts';

/** What reading words draws on. */
export type ReadingParts = Pick<
  DoorParts,
  'commands' | 'reporting' | 'settings' | 'channels' | 'people' | 'accounts' | 'now' | 'timeZone' | 'log'
>;

/**
 * Reads any question as it would stand behind `/tis` (`weekly WEB`, `APP last 30 days by assignee`), for an account in a
 * place, with that one's rights. What is wrong is a `bad-request` that names the word and what is allowed.
 */
export async function readQuestion(
  typed: string,
  account: string,
  place: Pick<Place, 'channel'>,
  parts: ReadingParts,
): Promise<ReadWords> {
  return readWords(typed, await askingOf(account, place, parts));
}

/** Whether words are a question; one of what somebody may not see is one as well. */
export async function isQuestion(
  typed: string,
  account: string,
  place: Pick<Place, 'channel'>,
  parts: ReadingParts,
): Promise<boolean> {
  try {
    await readQuestion(typed, account, place, parts);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code !== 'bad-request';
  }
}

/** What the words of an account in a place can mean. */
export async function askingOf(
  account: string,
  place: Pick<Place, 'channel'>,
  parts: ReadingParts,
): Promise<Asking> {
  const { reporting, settings, people, now } = parts;
  const principal = await resolvePrincipal(account, parts);
  const isFine = (request: Parameters<typeof ask>[0]) =>
    reporting.check(ask(request)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'bad-request') return false;
        throw error;
      },
    );
  const everything = { principal, reportType: 'statusDuration', selection: { by: 'jql', jql: '' } } as const;
  const nameOf = async (user: string) => (await people.users()).get(user)?.name ?? user;
  return {
    principal,
    hours: await hoursHere(place, account, parts),
    now: now(),
    reportTypes: offeredReports(reporting.reportTypes),
    calendars: await settings.calendars(principal).catch((error: unknown) => {
      // Whoever names no calendar is answered without a list of them.
      if (error instanceof AppError) return [normalHoursDefinition];
      throw error;
    }),
    words: parts.commands.flatMap(({ root, word }) => (root === '/tis' && word !== null ? [word] : [])),
    isProject: (project) => isFine({ ...everything, selection: { by: 'project', project } }),
    async knownBeside(kind, name) {
      const jql = `${kind} = ${asLiteral(name)}`;
      try {
        await reporting.check(ask({ ...everything, selection: { by: 'jql', jql } }));
        return null;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
        return knownNames(error.details.join(' '));
      }
    },
    isField: (field) => isFine({ ...everything, groupBy: [field] }),
    async userOf(mentioned) {
      const known = await knownPrincipal(mentioned, parts);
      if (known !== null) return known.account;
      throw badRequest(
        'I do not know who that is in the tracker; allowed: their name there, or a mention of who is linked.',
      );
    },
    nameOf,
    async self() {
      const known = await knownPrincipal(account, parts);
      if (known === null) {
        throw badRequest(
          "I do not know who you are in the tracker, so 'me' and currentUser() are nobody; allowed: a name there, or say who you are with /tis link.",
        );
      }
      return { id: known.account, name: await nameOf(known.account) };
    },
    usualProjects: () => usualProjects(place, account, principal, parts),
    parameterSets: () => settings.parameterSets(principal),
    async check(question) {
      for (const request of requestsOf(question, principal)) {
        await reporting.check(request).catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
          throw badRequest(...error.details.map((one) => inTypedWords(one, request.selection)));
        });
      }
    },
  };
}
