import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { badRequest } from '../../model/error.ts';
import { ask } from '../../model/request.ts';
import { MOST_PROJECTS } from '../home/most-projects.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal, Submission } from '../modal.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** Somebody's settings, submitted: they are kept, and the Home tab follows. */
export const homeSettings: SlackModal<
  Pick<SlackParts, 'accounts' | 'channels' | 'homes' | 'people' | 'reporting'>
> = {
  id: 'home-settings',
  title: 'Settings',
  meanwhile: 'Saving…',
  wrongAtOnce(submission) {
    const count = projectsOf(submission).length;
    if (count <= MOST_PROJECTS) return {};
    return { 'project-keys': `${count} projects are named. Try: at most ${MOST_PROJECTS}.` };
  },
  placeOf: ({ principal: { account } }) => ({ channel: account, threadTs: null }),
  async answer(submission, parts) {
    const account = submission.principal.account;
    const projects = projectsOf(submission);
    if (submission.texts['project-keys'] !== undefined) await refuseUnknown(projects, account, parts);
    const { calendar } = submission.chosen;
    await parts.channels.changePreferences(account, {
      projects: projects.length === 0 ? null : projects,
      ...(calendar === undefined ? {} : { calendar }),
    });
    const later = parts.homes.show(account).then(() => notice('Saved. Your Home tab shows it.'));
    const which =
      projects.length === 0
        ? 'Your Home tab tells of the projects most of your issues are in.'
        : `Your Home tab tells of ${projects.map(escapeMrkdwn).join(', ')}.`;
    return { ...notice('Saved.', which), later };
  },
};

function projectsOf({ chosenAll, texts }: Submission): readonly string[] {
  const typed = texts['project-keys']?.split(/[\s,;]+/).filter((key) => key !== '') ?? [];
  return [...new Set((chosenAll.projects ?? typed).map((key) => key.toUpperCase()))];
}

/** Typed keys may be none; those of a menu are not asked about. */
async function refuseUnknown(
  keys: readonly string[],
  account: string,
  parts: Pick<SlackParts, 'accounts' | 'people' | 'reporting'>,
): Promise<void> {
  const principal = await resolvePrincipal(account, parts);
  const unknown: string[] = [];
  for (const project of keys) {
    const request = ask({ principal, reportType: 'statusCount', selection: { by: 'project', project } });
    await parts.reporting.check(request).catch(() => unknown.push(project));
  }
  if (unknown.length === 0) return;
  throw badRequest(
    `Nothing is saved: there is no project ${unknown.join(', ')}, or none that you may see. Try: keys such as WEB, with blanks between.`,
  );
}
