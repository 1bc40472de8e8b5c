import { ask, type Principal } from '../../src/model/request.ts';
import type { Table } from '../../src/model/table.ts';
import type { Asked } from './asked.ts';
import type { openProduct } from './open-product.ts';

/** The issues of the first report, and its first line's values by column. */
export interface AnswerFound {
  readonly issues: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** Answers a question once. */
export async function answerAsked(
  { reports = [], list, together = [], words }: Asked,
  principal: Principal,
  { reporting, answers }: Awaited<ReturnType<typeof openProduct>>,
): Promise<AnswerFound> {
  if (words !== undefined) await answers.answer(principal, words, null);
  if (list !== undefined) {
    const reader = await reporting.open(ask({ ...list, principal }), together);
    const [first] = reader.statistics;
    if (first !== undefined) return tableFound(first);
    let issues = 0;
    for await (const part of reader.lines()) issues += part.length;
    return { issues, figures: {} };
  }
  const found: AnswerFound[] = [];
  for (const report of reports) found.push(tableFound(await reporting.report(ask({ ...report, principal }))));
  return found[0] ?? { issues: 0, figures: {} };
}

function tableFound({ rows, provenance }: Table): AnswerFound {
  const cells = Object.entries(rows[0]?.cells ?? {});
  const figures = cells.flatMap(([id, { value }]) => (typeof value === 'number' ? [[id, value]] : []));
  return { issues: provenance.issues, figures: Object.fromEntries(figures) };
}
