import { codeText } from '../../block-kit/code-text.ts';
import { someOf } from '../../block-kit/some-of.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import { compareText } from '../../issues/ids-and-names.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { ask } from '../../model/request.ts';
import type { DefaultProjects, ParserContext } from '../../questions/parse/parser-context.ts';
import type { Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import type { SlackParts } from '../parts.ts';

interface Parts extends Pick<SlackParts, 'reporting'> {
  readonly channels: Pick<SlackParts['channels'], 'channel' | 'preferences'>;
}

/**
 * The projects an admin chose for a channel, else those of the principal's Home tab, else where most of their issues are:
 * of each only what the principal may see.
 */
export async function usualProjects(
  { channel }: Pick<Place, 'channel'>,
  account: string,
  principal: ParserContext['principal'],
  parts: Parts,
): Promise<DefaultProjects | null> {
  const allowed = isDirect(channel) ? [] : ((await parts.channels.channel(channel)).projects ?? []);
  const { projects: own } = await parts.channels.preferences(account);
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  const seenOf = (chosen: readonly string[], because: string): DefaultProjects | null => {
    const projects = chosen.filter((key) => !isClosed?.(key));
    if (projects.length === 0) return null;
    return { projects, remark: remarkOf(projects, because, chosen.length - projects.length) };
  };
  const usual =
    seenOf(
      allowed.map(({ key }) => key),
      'as chosen for this channel',
    ) ?? seenOf(own ?? [], 'as you chose for your Home tab');
  if (usual !== null) return usual;
  const most = await mostAssigned(principal, parts);
  return most === null
    ? null
    : { projects: [most], remark: remarkOf([most], 'where most of your issues are', 0) };
}

function remarkOf(projects: readonly string[], because: string, unseen: number): string {
  const beside =
    unseen === 0 ? '' : `, and not of ${unseen} ${unseen === 1 ? 'project' : 'projects'} you cannot see`;
  return `You named no project, so this is of ${someOf(projects.map(codeText))}, ${because}${beside}.`;
}

/** Key of the project that most issues assigned to somebody are of; null where there is none. */
async function mostAssigned(
  principal: ParserContext['principal'],
  { reporting }: Parts,
): Promise<string | null> {
  if (principal.rights === 'stranger') return null;
  const { issues } = await reporting.report(
    ask({
      principal,
      reportType: 'statusCount',
      selection: { by: 'jql', jql: 'assignee = currentUser()' },
    }),
  );
  const counts = new Map<string, number>();
  for (const issue of issues) {
    const project = projectKeyOf(issue);
    counts.set(project, (counts.get(project) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
  return most?.[0] ?? null;
}
