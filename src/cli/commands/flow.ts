import { readFile } from 'node:fs/promises';
import {
  type FlowChange,
  type FlowOfProject,
  flowPreviewSchema,
  flowSchema,
  readFlowChange,
} from '../../api/flows/flow-document.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import { flowLines, flowOriginText, flowPreviewRows, stageKindWords } from '../../output/flow-text.ts';
import { createCommand, printable } from '../cli-command.ts';

/** Shows the flow of a project, sets it, or shows the effect of a change before it is made. */
export const flow = createCommand({
  name: 'flow',
  usage: 'flow PROJECT [--file FILE | --default] [--preview]',
  summary: 'show what is started, waiting, blocked and finished in a project, or set it',
  details:
    'The file is what --json prints, with something else in it; statuses are ids or names. Its revision must be the latest one: a flow that was changed meanwhile is not overwritten. What you set counts from the next question on, for all of the past.',
  words: { '[PROJECT]': 'the key of the project' },
  options: {
    '--file FILE': 'set the flow to what this file of JSON says',
    '--default': 'go back to the default, by the categories of statuses',
    '--preview': 'with --file or --default: change nothing, show figures of the last eight weeks instead',
    '--json':
      'print JSON: the flow as GET /rest/flows/PROJECT answers it; with --preview { now, draft, calendar }',
  },
  examples: [
    'flow WEB',
    'flow WEB --json',
    'flow WEB --file flow.json --preview',
    'flow WEB --file flow.json',
    'flow WEB --default',
  ],
  async run(typed, { flows, tenant, out, json }) {
    const [project, surplus] = typed.words;
    if (project === undefined) throw badRequestAs('missing-value', `PROJECT is missing. Try: ${flow.usage}.`);
    if (surplus !== undefined)
      throw badRequestAs('unknown-parameter', `Unexpected argument '${surplus}'. Try: ${flow.usage}.`);
    const [file, isPreview, goesBack] = [typed.value('file'), typed.isOn('preview'), typed.isOn('default')];
    if (goesBack && file !== undefined)
      throw badRequestAs('conflicting-values', '--default and --file exclude each other.');
    if (isPreview && !goesBack && file === undefined)
      throw badRequest('--preview goes with --file or --default.');
    const principal: Principal = { tenant, account: 'command line', rights: 'admin' };
    const change =
      file !== undefined
        ? await readChange(file)
        : goesBack
          ? readFlowChange({ revision: (await flows.flow(principal, project)).revision, isDefault: true })
          : null;
    if (change !== null && isPreview) {
      const preview = await flows.preview(principal, project, change);
      json(flowPreviewSchema.parse(preview));
      for (const line of columnsOf([['Last 8 weeks', 'now', 'with the change'], ...flowPreviewRows(preview)]))
        out(printable(line));
      return 0;
    }
    const shown =
      change === null ? await flows.flow(principal, project) : await flows.put(principal, project, change);
    json(flowSchema.parse(shown));
    for (const line of textOf(shown)) out(printable(line));
    return 0;
  },
});

async function readChange(file: string): Promise<FlowChange> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw badRequest(`--file '${file}' cannot be read. Try: the path of a file of JSON.`);
  });
  try {
    return readFlowChange(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`--file '${file}' is not JSON. Try: what --json prints.`);
  }
}

/** The stages in columns, and a line for everything else. */
function textOf(shown: FlowOfProject): readonly string[] {
  const stages = shown.stages.map(({ name, kind, statuses }) => [
    ...[name, stageKindWords[kind], statuses.map((one) => one.name).join(', ')],
  ]);
  return [
    `Flow of ${shown.projectKey}, revision ${shown.revision}. ${flowOriginText(shown)}`,
    ...columnsOf([['Stage', 'Kind', 'Statuses'], ...stages]).map((line) => `  ${line}`),
    ...flowLines(shown).map(([label, text]) => `${label}: ${text}`),
  ];
}

/** Rows as lines whose columns are as wide as their widest cell. */
function columnsOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
