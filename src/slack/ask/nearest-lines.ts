import type { AppError } from '../../model/error.ts';
import type { CommandLine, Place } from '../app/handler-types.ts';
import type { ReadingParts } from '../app/parts.ts';
import { lineAbout } from './follow-up-line.ts';
import { correctedLines } from './grammar/names-meant.ts';
import { parserContextOf } from './parser-context-of.ts';
import { questionProblem } from './read-question.ts';

/** More choices are hard. */
const MAX_LINES = 3;

/** Lines that work and are nearest to one that was refused; `labels` are the words of their buttons, where they have any. */
interface NearestLines {
  readonly lines: readonly string[];
  readonly labels: readonly string[];
}

/**
 * Lines after `/tis` near a question that was refused, each of them read before it is offered: with the word that was likely
 * meant, without the words that are not known, or about each project where one is missing. A line that begins with one of
 * `commands` works as well.
 */
export async function nearestLines(
  typed: string,
  error: AppError,
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
  commands: readonly CommandLine[] = [],
): Promise<NearestLines> {
  const { reason, data } = error;
  if (reason === 'missing-value' && data.kind === 'project') {
    const context = await parserContextOf(account, place, parts);
    const lines: string[] = [];
    const labels: string[] = [];
    for (const project of (await context.valuesOf('project')).slice(0, MAX_LINES)) {
      const line = await lineAbout(project, typeof data.line === 'string' ? data.line : typed, context);
      if (line === null) continue;
      lines.push(line);
      labels.push(project);
    }
    return { lines, labels };
  }
  const near = [...correctedLines(typed, data), ...(typeof data.line === 'string' ? [data.line] : [])];
  const isCommand = (line: string) =>
    commands.some(({ root, word }) => root === '/tis' && word !== null && word === line.split(' ')[0]);
  const lines: string[] = [];
  for (const line of new Set(near)) {
    if (line === typed.trim()) continue;
    if (isCommand(line) || (await questionProblem(line, account, place, parts)) === null) lines.push(line);
  }
  return { lines: lines.slice(0, MAX_LINES), labels: [] };
}
