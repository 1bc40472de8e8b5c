import { AppError, badRequest } from '../../model/error.ts';
import type { CliParts, Command } from '../command.ts';
import { readOptions } from '../read-options.ts';
import { readTarget, type Target } from '../read-target.ts';
import { ruleLines } from '../rule-lines.ts';
import { viewerIds } from '../viewer-ids.ts';

/** Lists who may see what of the imported issues, or says so anew for one project or one security level. */
export const access: Command = {
  name: 'access',
  usage: 'access [PROJECT (--to USER[,USER…] | --everyone) | --level ID (--to USER[,USER…] | --nobody)]',
  summary: 'list who may see which imported issues, or say it anew; USER is a user or a group',
  async run(args, parts) {
    const { values, positionals } = readOptions(
      args,
      access.usage,
      {
        level: { type: 'string' },
        to: { type: 'string' },
        everyone: { type: 'boolean', default: false },
        nobody: { type: 'boolean', default: false },
      },
      { words: true },
    );
    const target = readTarget(positionals, values.level, access.usage);
    if (parts.trackerDecides) throw decidedByJira;
    const actions = [
      ...(values.to === undefined ? [] : ['--to']),
      ...(values.everyone ? ['--everyone'] : []),
      ...(values.nobody ? ['--nobody'] : []),
    ];
    if (target !== null) await change(target, actions, values.to ?? '', parts);
    else if (actions.length > 0) {
      throw badRequest(`${actions[0]} needs a PROJECT or --level ID; allowed: ${access.usage}.`);
    }
    for (const line of await ruleLines(parts.rights)) parts.out(line);
    return 0;
  },
};

/** A rule that nobody asks would be a promise. */
const decidedByJira = new AppError('bad-request', 'Jira decides who may see which issues', [
  'Rules are not asked; with JIRA_RIGHTS=rules they are, in place of Jira.',
]);

async function change(
  { kind, id, text }: Target,
  actions: readonly string[],
  to: string,
  { rights }: CliParts,
): Promise<void> {
  // A project without a rule is open to everyone, a security level without one to nobody.
  const takeAway = kind === 'project' ? '--everyone' : '--nobody';
  const [action, ...others] = actions;
  if (others.length > 0) throw badRequest(`${actions.join(' and ')} exclude each other.`);
  if (action === '--to') {
    const { groups } = await rights.directory();
    const viewers = viewerIds('--to', to, { groups, users: await rights.users() });
    await rights.putDirectory({ access: [{ kind, id, viewers }] });
  } else if (action !== takeAway) {
    const wrong =
      action === undefined ? `${text} needs to be told who may see it` : `${action} is not for ${text}`;
    throw badRequest(`${wrong}; allowed: --to USER[,USER…] or ${takeAway}.`);
  } else if (!(await rights.removeAccess(kind, id))) {
    throw badRequest(`${text} has no rule; allowed: one that access lists.`);
  }
}
