import { z } from 'zod';
import { text } from '../../api/parameters/parameter.ts';
import { stageKinds } from '../../model/flow.ts';
import { flowLines, flowOriginText, stageKindWords } from '../../output/flow-text.ts';
import { answerText } from '../answer-facts.ts';
import { defineTool } from '../tool.ts';

/** The flow of a project: what is started, waiting, blocked and finished there. */
export const flowTool = defineTool({
  name: 'flow',
  title: 'Flow of a project',
  description:
    'What is started, waiting, blocked and finished in a project: its stages of work in order, and what starts and ends cycle times.',
  takesLong: false,
  parameters: z.object({ project: text.meta({ description: 'Its key.' }) }),
  output: z.object({
    projectKey: z.string(),
    isDefault: z.boolean().meta({ description: 'By the categories of statuses.' }),
    stages: z.array(z.object({ name: z.string(), kind: z.enum(stageKinds), statuses: z.array(z.string()) })),
    start: z.string().nullable().meta({ description: 'The stage that starts the clock.' }),
    end: z.string().nullable().meta({ description: 'The one that ends it.' }),
    rules: z
      .record(z.string(), z.string())
      .meta({ description: 'Clock, target, blockers, issues that do not count, types with other stages.' }),
  }),
  async answer({ project }, { flows, principal }) {
    const shown = await flows.flow(principal, project);
    const { projectKey, isDefault, start, end } = shown;
    const stages = shown.stages.map(({ name, kind, statuses }) => ({
      name,
      kind,
      statuses: statuses.map((one) => one.name),
    }));
    const lines = flowLines(shown);
    const rows = stages.map((one) => [one.name, stageKindWords[one.kind], one.statuses.join(', ')]);
    const { text: fitted } = answerText(
      [`Flow of ${projectKey}. ${flowOriginText(shown)}`],
      [{ columns: ['Stage', 'Kind', 'Statuses'], rows }],
      lines.map(([label, line]) => `${label}: ${line}.`),
    );
    const rules = Object.fromEntries(lines);
    return { content: { projectKey, isDefault, stages, start, end, rules }, text: fitted };
  },
});
