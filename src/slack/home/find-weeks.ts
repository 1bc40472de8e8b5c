import { closedTo } from '../../issues/browse-scope.ts';
import { compareText } from '../../issues/ids-and-names.ts';
import type { Mine } from '../../model/answer.ts';
import type { Principal } from '../../model/principal.ts';
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import { hoursHere } from '../hours-here.ts';
import type { HomeParts, SlackParts } from '../parts.ts';
import { usualProjects } from '../questions/usual-projects.ts';
import type { ProjectWeek, Weeks } from './home-content.ts';
import { MOST_PROJECTS } from './most-projects.ts';
import { tellPart } from './tell-part.ts';

/** So many are told where nobody chose. */
const MOST_GUESSED = 3;

/** The last whole week of the projects somebody chose, else of those most of their open issues are in. */
export async function findWeeks(
  account: string,
  { principal, mine }: { readonly principal: Principal; readonly mine: Mine | null },
  parts: HomeParts,
): Promise<Weeks> {
  const chosen = await chosenBy(account, principal, parts);
  const own = chosen ?? (await guessed(account, principal, mine, parts));
  const shown = own.slice(0, chosen === null ? MOST_GUESSED : MOST_PROJECTS);
  const hours = await hoursHere({ channel: account }, account, parts);
  const weeks = await Promise.all(
    shown.map(async (project): Promise<ProjectWeek> => {
      const selection = { by: 'project', project } as const;
      try {
        const question = { kind: 'weekly', selection, week: 'last', ...hours } as const;
        const { value } = await parts.answers.ask(weeklyKind, principal, question);
        return { project, weekly: value };
      } catch (error) {
        return { project, why: tellPart(error, { home: 'weeks', project }, parts.log) };
      }
    }),
  );
  return { weeks, chosen: chosen !== null, more: chosen === null ? 0 : own.length - shown.length };
}

/** What somebody chose of what they may still see; null where that is nothing. */
async function chosenBy(
  account: string,
  principal: Principal,
  parts: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly string[] | null> {
  const { projects } = await parts.channels.preferences(account);
  if (projects === null) return null;
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  const seen = projects.filter((key) => !isClosed?.(key));
  return seen.length === 0 && projects.length > 0 ? null : seen;
}

/** Where most open issues are; without any, where most of the issues are that somebody ever had. */
async function guessed(
  account: string,
  principal: Principal,
  mine: Mine | null,
  parts: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const { project } of mine?.own.issues ?? []) counts.set(project, (counts.get(project) ?? 0) + 1);
  if (counts.size > 0) {
    const inOrder = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
    return inOrder.map(([project]) => project);
  }
  return (await usualProjects({ channel: account }, account, principal, parts))?.projects ?? [];
}
