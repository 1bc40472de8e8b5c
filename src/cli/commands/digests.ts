import type { DigestsApi } from '../../api/digests/digests-api.ts';
import type { Digest } from '../../model/digest.ts';
import { badRequestAs } from '../../model/error.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import { createCommand } from '../cli-command.ts';
import { printable } from '../output-lines.ts';
import { accountOf } from '../viewers.ts';

/** Lists every digest, or gives one to another account, or deletes one: also where the tracker has no admins. */
export const digests = createCommand({
  name: 'digests',
  usage: 'digests [list | change-owner ID ACCOUNT | delete ID]',
  summary: 'list all digests in Slack, change the owner of one, or delete it; ACCOUNT is a member ID',
  options: {},
  takesWords: true,
  async run({ words }, { digests: api, tenant, out }) {
    // Who runs the command line runs Dwell.
    const operator = principalIn(tenant, 'command line', 'admin');
    const [typed = 'list', id = '', account = '', ...more] = words;
    // Its name until 0.8; scripts may use it.
    const verb = typed === 'hand-over' ? 'change-owner' : typed;
    await change(verb, { id, account, tooMany: more[0] }, api, operator);
    const all = await api.list(operator, null);
    if (all.length === 0) out('There are no digests.');
    for (const digest of all) out(printable(lineOf(digest)));
    return 0;
  },
});

async function change(
  verb: string,
  words: { readonly id: string; readonly account: string; readonly tooMany: string | undefined },
  api: DigestsApi,
  operator: Principal,
): Promise<void> {
  const { id, account, tooMany } = words;
  const wanted = { list: 0, 'change-owner': 2, delete: 1 }[verb];
  if (wanted === undefined)
    throw badRequestAs('unknown-name', `'${verb}' is not known. Try: list, change-owner, delete.`);
  const surplus = [id, account].slice(wanted).find((word) => word !== '') ?? tooMany;
  if (surplus !== undefined) {
    throw badRequestAs('unknown-parameter', `Unexpected argument '${surplus}'. Try: ${digests.usage}.`);
  }
  if (wanted > 0 && id === '')
    throw badRequestAs('missing-value', `ID is missing. Try: one that digests lists.`);
  if (verb === 'change-owner') await api.handOver(operator, id, accountOf('ACCOUNT', account));
  if (verb === 'delete') await api.remove(operator, id);
}

function lineOf({ id, title, owner, place, schedule, paused, nextDue, lastRun }: Digest): string {
  const next = nextDue === null ? 'no next run' : `next ${new Date(nextDue).toISOString()}`;
  const why = lastRun?.message ? `: ${lastRun.message}` : '';
  return [
    id,
    `of ${owner}`,
    place.kind === 'channel' ? `in ${place.channel}` : 'to its owner',
    `'${schedule.cron}' ${schedule.timeZone}`,
    paused ? 'paused' : next,
    lastRun === null ? 'not posted yet' : `last ${lastRun.state}${why}`,
    title,
  ].join('  ');
}
