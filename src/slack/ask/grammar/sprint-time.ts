import { badRequest } from '../../../model/error.ts';
import type { Selection } from '../../../model/request.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import type { Tails } from './parse-options.ts';
import type { ParserContext } from './parser-context.ts';
import { USUAL_FIELD } from './read-range.ts';

/** The same ends with the days of `last sprint` or `this sprint` as their time, and which sprint (mrkdwn) that is. */
export async function withSprintTime(
  { sprint: which, ...tails }: Tails,
  selection: Selection | null,
  { sprintNow }: Pick<ParserContext, 'sprintNow'>,
): Promise<{ readonly tails: Tails; readonly remark: string | null }> {
  if (which === undefined) return { tails, remark: null };
  if (tails.range !== undefined) {
    throw badRequest(`You gave two times: "${which} sprint" and "${tails.range.words}". Try: only one.`);
  }
  const found = await sprintNow(which, selection);
  if (found === null) {
    const state = which === 'last' ? 'has been closed' : 'is running';
    throw badRequest(`No sprint ${state} here. Try: a time such as last 2 weeks.`);
  }
  const { name, start, end } = found;
  const to = which === 'this' ? null : end;
  const range = {
    field: USUAL_FIELD,
    when: { by: 'dates', from: start, to },
    words: `${which} sprint`,
  } as const;
  return { tails: { ...tails, range }, remark: `The ${which} sprint is ${codeText(name)}.` };
}
