import type { SprintQuestion } from '../../../api/answers/sprint/find-sprint.ts';
import { AppError } from '../../../model/error.ts';
import { foldedName } from '../../../model/issues/ids-and-names.ts';
import { leftoverError } from '../../ask/grammar/leftover-error.ts';
import { parseOptions, tailKinds, unitOf } from '../../ask/grammar/parse-options.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault, readFilter } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word, wordsOf } from '../../ask/grammar/typed-words.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
/** Reads what follows `sprint`: a name, a project, or `last`; null where the words ask for a report of the issues of a sprint. */
export const readSprint: QuestionReader = async (words, context) => {
  const { rest, tails } = await parseOptions(words, tailKinds, context);
  const { calendar, unit: _unit, ...others } = tails;
  if (Object.keys(others).length > 0) return null;
  const { timeZone } = context.hours;
  const measured = { calendar: calendar ?? context.hours.calendar, timeZone, ...unitOf(tails) };
  const question = (named: Pick<SprintQuestion, 'sprint' | 'selection'>): SprintQuestion => ({
    kind: 'sprint',
    ...named,
    ...measured,
  });
  const last = await takeLast(rest, context);
  if (last !== null) {
    const usual = last.length > 0 || (await context.defaultProjects()) !== null;
    const { selection, remark } = usual
      ? await filterOrDefault(last, context)
      : { selection: null, remark: null };
    return { question: { ...question({ sprint: null, selection }), closed: true }, remark };
  }
  if (rest.length === 0) {
    // Without projects of their own it is the last sprint of all.
    const usual = await context.defaultProjects();
    if (usual === null) return { question: question({ sprint: null, selection: null }), remark: null };
    const { selection, remark } = await filterOrDefault([], context);
    return { question: question({ sprint: null, selection }), remark };
  }
  const name = plainText(rest);
  if (await isOnlyProject(name, context)) {
    const selection = { by: 'project', project: name } as const;
    return { question: question({ sprint: null, selection }), remark: null };
  }
  const { sprint, remark } = await readFilter([...wordsOf('sprint'), ...rest], context).catch(
    async (error: unknown) => {
      const at = rest.findLastIndex(({ plain }) => oneOf(['in'], plain) !== undefined);
      if (!(error instanceof AppError) || error.reason !== 'unknown-name' || at < 0) throw error;
      throw await leftoverError(rest.slice(at), context);
    },
  );
  if (sprint === undefined) return null;
  const found = question({ sprint, selection: null });
  await context.check(found);
  return { question: found, remark: remark ?? (await ofSeveral(sprint, context)) };
};

/** The project beside `last`, as in `last WEB`; null for any other word. */
async function takeLast(
  words: readonly Word[],
  { knownBeside, isProject }: Pick<ParserContext, 'isProject' | 'knownBeside'>,
): Promise<readonly Word[] | null> {
  const at = words.findIndex(({ plain }) => oneOf(['last', 'previous'], plain) !== undefined);
  const rest = words.toSpliced(at, 1);
  if (at < 0 || rest.length > 1 || (await knownBeside('sprint', plainText(words))) === null) return null;
  return rest.length === 0 || (await isProject(plainText(rest))) ? rest : null;
}

/** A sprint with that name is preferred. */
async function isOnlyProject(
  name: string,
  { isProject, knownBeside }: Pick<ParserContext, 'isProject' | 'knownBeside'>,
): Promise<boolean> {
  return (await isProject(name)) && (await knownBeside('sprint', name)) !== null;
}

/** Which one it is of several sprints of one name; null where there are no others. */
async function ofSeveral(
  name: string,
  { sprintNames }: Pick<ParserContext, 'sprintNames'>,
): Promise<string | null> {
  const count = (await sprintNames()).filter((one) => foldedName(one) === foldedName(name)).length;
  return count < 2 ? null : `${count} sprints are called ${codeText(name)}; this is the one that began last.`;
}
