import type { DigestsApi } from '../../api/digests/digests-api.ts';
import { type Digest, pausedText } from '../../model/digest.ts';
import { badRequestAs } from '../../model/error.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import { createCommand, isoTime, printable } from '../cli-command.ts';
import { slackAccount } from '../viewers.ts';

/** Lists every digest, or gives one to another account, or deletes one: also where the tracker has no admins. */
export const digests = createCommand({
  name: 'digests',
  usage: 'digests [list | change-owner ID ACCOUNT | delete ID]',
  summary: 'list all digests in Slack, change the owner of one, or delete it',
  details:
    'A digest runs with the permissions of its owner: change the owner when a person has left. ID is the first column of the list, ACCOUNT the Slack member ID of the new owner, such as U012AB3CD.',
  words: {
    '[list|change-owner|delete]': 'what to do (default: list)',
    '[ID]': 'the digest',
    '[ACCOUNT]': 'its new owner',
  },
  options: {
    '--json':
      'print JSON: an array of { id, title, owner, channel, cron, timeZone, paused, nextAt, lastState, lastMessage }; channel is null for a digest to its owner',
  },
  examples: ['digests', 'digests change-owner 4f2a U012AB3CD', 'digests delete 4f2a'],
  async run({ words }, { digests: api, restore, tenant, out, err, json }) {
    // The user of the command line operates Dwell.
    const operator = principalIn(tenant, 'command line', 'admin');
    const [typed = 'list', id = '', account = ''] = words;
    // Its name until 0.8; scripts may use it.
    const verb = typed === 'hand-over' ? 'change-owner' : typed;
    await change(verb, { id, account }, api, operator);
    const all = await api.list(operator, null);
    json(all.map(dataOf));
    if (await restore.isPaused()) err(pausedText);
    if (all.length === 0) out('There are no digests.');
    for (const digest of all) out(printable(lineOf(digest)));
    return 0;
  },
});

async function change(
  verb: string,
  { id, account }: { readonly id: string; readonly account: string },
  api: DigestsApi,
  operator: Principal,
): Promise<void> {
  const wanted = { list: 0, 'change-owner': 2, delete: 1 }[verb];
  if (wanted === undefined)
    throw badRequestAs('unknown-name', `'${verb}' is not known. Try: list, change-owner, delete.`);
  const surplus = [id, account].slice(wanted).find((word) => word !== '');
  if (surplus !== undefined) {
    throw badRequestAs('unknown-parameter', `Unexpected argument '${surplus}'. Try: ${digests.usage}.`);
  }
  if (wanted > 0 && id === '')
    throw badRequestAs('missing-value', `ID is missing. Try: one that digests lists.`);
  if (verb === 'change-owner') await api.handOver(operator, id, slackAccount('ACCOUNT', account));
  if (verb === 'delete') await api.remove(operator, id);
}

function dataOf({ id, title, owner, place, schedule, paused, nextDue, lastRun }: Digest) {
  const channel = place.kind === 'channel' ? place.channel : null;
  const last = { lastState: lastRun?.state ?? null, lastMessage: lastRun?.message ?? null };
  return { id, title, owner, channel, ...schedule, paused, nextAt: isoTime(nextDue), ...last };
}

function lineOf({ id, title, owner, place, schedule, paused, nextDue, lastRun }: Digest): string {
  const next = nextDue === null ? 'no next run' : `next ${isoTime(nextDue)}`;
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
