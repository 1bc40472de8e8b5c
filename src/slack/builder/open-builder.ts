import type { IssueChoices } from '../../api/reporting/reporting-api.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { Choice, SlackAction, SlackMenu, SlackShortcut, SlashInvocation } from '../app/handler-types.ts';
import { openLateView } from '../app/open-view.ts';
import type { QuestionParts, ReadingParts, ViewParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { parserContextOf } from '../ask/parser-context-of.ts';
import type { Message } from '../blocks/message.ts';
import { directPlace } from '../exports/request-export.ts';
import {
  type BuilderForm,
  builderFacts,
  calendarChoices,
  MAX_CHOSEN,
  newForm,
  savedChoices,
  usualFields,
} from './builder-form.ts';
import { builderView, readBuilder } from './builder-view.ts';
import { formOfQuestion, formOfSaved } from './form-of-question.ts';

type OpeningParts = QuestionParts & ReadingParts & ViewParts;

/**
 * Opens the report builder, whose answers come in the place: filled with a stored run's question (`run ID`), with issues by
 * key or by a query (`filter TEXT`), else with what is usual. What keeps it closed is handed back.
 */
export function openBuilder(
  prefill: string,
  { principal: { account }, place, open }: Pick<SlashInvocation, 'principal' | 'place' | 'open'>,
  parts: OpeningParts,
): Promise<readonly Message[]> {
  return openLateView(
    {
      title: 'Report builder',
      meanwhile: 'Opening…',
      advice: 'Please try again.',
      async make() {
        const context = await parserContextOf(account, place, parts);
        const form = await filledForm(prefill, newForm(place, context.hours), context, parts);
        return builderView(form, await builderFacts(form, account, context, parts));
      },
    },
    open,
    parts,
  );
}

async function filledForm(
  prefill: string,
  form: BuilderForm,
  context: ParserContext,
  parts: OpeningParts,
): Promise<BuilderForm> {
  const [, by, rest = ''] = /^(run|filter) (.+)$/s.exec(prefill) ?? [];
  if (by === 'run') return formOfQuestion((await parts.answers.run(rest)).question, form);
  if (by === 'filter') return { ...form, jql: rest, range: 'any' };
  return { ...form, projects: (await usualProjects(context, parts)).slice(0, MAX_CHOSEN) };
}

/** The default projects here or, where none is known, one that has issues. */
async function usualProjects(
  context: ParserContext,
  { reporting }: ReadingParts,
): Promise<readonly string[]> {
  const usual = await orElse(context.defaultProjects(), () => null);
  if (usual !== null) return usual.projects;
  const keys = await reporting.exampleKeys(context.principal, 1);
  return keys.map((key) => key.slice(0, key.lastIndexOf('-')));
}

/** Opens the report builder; its value says what it is filled with. */
export const openBuilderAction: SlackAction<OpeningParts> = {
  id: 'open-builder',
  run: (click, parts) => openBuilder(click.value, click, parts),
};

/** *Build a report* from anywhere: its answers come in the conversation with the app. */
export const buildReport: SlackShortcut<OpeningParts> = {
  id: 'report-builder',
  type: 'global',
  run: (picked, parts) => openBuilder('', { ...picked, place: directPlace(picked) }, parts),
};

/** A choice in the builder that others depend on: the form again, with what was entered; `change` may alter it. */
function refill(
  id: string,
  change: (
    form: BuilderForm,
    chosen: string,
    context: ParserContext,
    parts: ReadingParts,
  ) => BuilderForm | Promise<BuilderForm> = (form) => form,
): SlackAction<ReadingParts> {
  return {
    id,
    async run({ view, value, principal: { account } }, parts) {
      if (view === null) return [];
      const entered = readBuilder(view);
      const context = await parserContextOf(account, entered.place, parts);
      const form = await change(entered, value, context, parts);
      await view.replace(builderView(form, await builderFacts(form, account, context, parts)));
      return [];
    },
  };
}

/** Another time: two days have fields of their own. */
export const builderRange: SlackAction<ReadingParts> = refill('builder-range');

/** Another report: not every one takes dates, groups or a statistic. */
export const builderReport: SlackAction<ReadingParts> = refill('builder-report');

/** A saved report: the form is filled from it. */
export const builderSaved: SlackAction<ReadingParts> = refill(
  'builder-saved',
  async (form, chosen, context, { settings }) =>
    chosen === ''
      ? { ...form, saved: '', leavesOut: false }
      : formOfSaved(await settings.parameterSet(context.principal, chosen), form, context),
);

/** A menu of what a person can choose from, wherever they are; `isOne`: whether what is typed is a choice as well. */
function menuOf(
  id: string,
  choices: (context: ParserContext, parts: ReadingParts) => Promise<readonly Choice[]>,
  isOne?: (text: string, context: ParserContext) => Promise<boolean>,
): SlackMenu<ReadingParts> {
  const contextOf = (account: string, parts: ReadingParts) =>
    parserContextOf(account, { channel: account }, parts);
  return {
    id,
    choices: async (account, parts) => choices(await contextOf(account, parts), parts),
    ...(isOne && {
      typed: async (text: string, account: string, parts: ReadingParts) =>
        (await isOne(text, await contextOf(account, parts))) ? ([text, text] as const) : null,
    }),
  };
}

/** The calendars, where they are too many for a menu. */
export const builderCalendar: SlackMenu<ReadingParts> = menuOf('builder-calendar', async ({ calendars }) =>
  calendarChoices(calendars),
);

/** The saved reports, where they are too many for a menu. */
export const builderSavedMenu: SlackMenu<ReadingParts> = menuOf('builder-saved', async (context) =>
  savedChoices(await context.parameterSets()),
);

/** Fields to group by: the usual ones, and any that is typed by its name and that the person can see. */
export const builderGroup: SlackMenu<ReadingParts> = menuOf(
  'builder-group',
  async () => usualFields,
  (text, context) => context.isField(text),
);

/** Projects by key; one that is typed by its name as well. */
export const builderProjects: SlackMenu<ReadingParts> = menuOf(
  'builder-projects',
  async (context, parts) => (await issueChoices(context, parts)).projects.map((key) => [key, key]),
  (text, context) => context.isProject(text),
);

/** Sprints by name, the last to begin first. */
export const builderSprint: SlackMenu<ReadingParts> = menuOf('builder-sprint', async (context) =>
  [...new Set(await context.sprintNames())].map((name) => [name, name]),
);

/** Saved filters of the tracker that the person can use. */
export const builderFilter: SlackMenu<ReadingParts> = menuOf('builder-filter', async (context, parts) =>
  (await issueChoices(context, parts)).filters.map(({ name }) => [name, name]),
);

/** People of the tracker, the one who looks first. */
export const builderPeople: SlackMenu<ReadingParts> = menuOf('builder-people', async (context, parts) => {
  const { people } = await issueChoices(context, parts);
  const isSelf = ({ id }: { readonly id: string }) => id === context.principal.account;
  return people
    .toSorted((a, b) => Number(isSelf(b)) - Number(isSelf(a)) || compareText(a.name, b.name))
    .map((one) => [isSelf(one) ? `${one.name} (me)` : one.name, one.id]);
});

/** None where the service behind has no such list. */
async function issueChoices(
  { principal }: ParserContext,
  { reporting }: ReadingParts,
): Promise<IssueChoices> {
  const none = { projects: [], filters: [], people: [] };
  return orElse(reporting.choices(principal), () => none, 'unsupported-by-service');
}
