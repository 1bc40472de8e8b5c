import type { ModalView } from '@slack/types';
import type { IssueChoices } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { compareText } from '../../issues/ids-and-names.ts';
import { AppError } from '../../model/error.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import type { Choice, Click, Place, SlackAction, SlackMenu, SlackShortcut } from '../app/handler-types.ts';
import { openLateView } from '../app/open-view.ts';
import type { QuestionParts, ReadingParts, SlackParts, ViewParts } from '../app/parts.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { calendarChoices, MOST_CHOSEN, savedChoices, usualFields } from './builder-choices.ts';
import { type BuilderForm, builderFacts, newForm, readBuilder } from './builder-form.ts';
import { builderView } from './builder-view.ts';
import { formOfQuestion, formOfSaved } from './form-of-question.ts';

/** What the builder is filled with: issues by key or by a query, what a stored run asked, or the usual. */
type Prefill =
  | { readonly by: 'filter'; readonly filter: string }
  | { readonly by: 'run'; readonly run: string }
  | { readonly by: 'usual' };

/** Opens the report builder for an account; its answers come in the place. What keeps it closed is handed back. */
export function openBuilder(
  prefill: Prefill,
  { account, place }: { readonly account: string; readonly place: Place },
  open: (view: ModalView) => Promise<void>,
  parts: QuestionParts & ReadingParts & ViewParts,
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
  prefill: Prefill,
  form: BuilderForm,
  context: ParserContext,
  parts: Pick<SlackParts, 'answers' | 'reporting'>,
): Promise<BuilderForm> {
  switch (prefill.by) {
    case 'filter':
      return { ...form, jql: prefill.filter, range: 'any' };
    case 'run':
      return formOfQuestion((await parts.answers.run(prefill.run)).question, form);
    case 'usual':
      return { ...form, projects: (await usualProjects(context, parts)).slice(0, MOST_CHOSEN) };
  }
}

/** The default projects here or, where none is known, one that has issues. */
async function usualProjects(
  context: ParserContext,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<readonly string[]> {
  const usual = await context.defaultProjects().catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (usual !== null) return usual.projects;
  const keys = await reporting.exampleKeys(context.principal, 1);
  return keys.map((key) => key.slice(0, key.lastIndexOf('-')));
}

/** What a button that opens the builder carries: `run ID`, `filter TEXT`, or nothing. */
export function readPrefill(value: string): Prefill {
  const [, by, rest = ''] = /^(run|filter) (.+)$/s.exec(value) ?? [];
  if (by === 'run') return { by, run: rest };
  return by === 'filter' ? { by, filter: rest } : { by: 'usual' };
}

/** Shows the builder again after a choice that others depend on; what was entered stays. `change` may alter the form. */
async function refillBuilder(
  { view, principal: { account } }: Click,
  parts: ReadingParts,
  change: (form: BuilderForm) => BuilderForm | Promise<BuilderForm> = (form) => form,
): Promise<readonly []> {
  if (view === null) return [];
  const form = await change(readBuilder(view));
  const context = await parserContextOf(account, form.place, parts);
  await view.replace(builderView(form, await builderFacts(form, account, context, parts)));
  return [];
}

/** Opens the report builder; its value is `run ID`, `filter TEXT`, or nothing for what is usual. */
export const openBuilderAction: SlackAction<QuestionParts & ReadingParts & ViewParts> = {
  id: 'open-builder',
  run: ({ value, principal: { account }, place, open }, parts) =>
    openBuilder(readPrefill(value), { account, place }, open, parts),
};

/** Another time in the builder: two days have fields of their own. */
export const builderRange: SlackAction<ReadingParts> = {
  id: 'builder-range',
  run: (click, parts) => refillBuilder(click, parts),
};

/** Another report in the builder: not every one takes dates, groups or a statistic. */
export const builderReport: SlackAction<ReadingParts> = {
  id: 'builder-report',
  run: (click, parts) => refillBuilder(click, parts),
};

/** A saved report chosen in the builder: the form is filled from it. */
export const builderSaved: SlackAction<ReadingParts> = {
  id: 'builder-saved',
  run: (click, parts) =>
    refillBuilder(click, parts, async (form) => {
      if (click.value === '') return { ...form, saved: '', leavesOut: false };
      const principal = await resolvePrincipal(click.principal.account, parts);
      const set = await parts.settings.parameterSet(principal, click.value);
      const calendars = await parts.settings.calendars(principal);
      const reportTypes = offeredReports(parts.reporting.reportTypes);
      return formOfSaved(set, form, { calendars, reportTypes });
    }),
};

type MenuParts = Pick<SlackParts, 'accounts' | 'people' | 'settings' | 'reporting'>;

/** The calendars, where they are too many for a menu. */
export const builderCalendar: SlackMenu<MenuParts> = {
  id: 'builder-calendar',
  choices: async (account, parts) =>
    calendarChoices(await parts.settings.calendars(await resolvePrincipal(account, parts))),
};

/** The saved reports, where they are too many for a menu. */
export const builderSavedMenu: SlackMenu<MenuParts> = {
  id: 'builder-saved',
  choices: async (account, parts) =>
    savedChoices(await parts.settings.parameterSets(await resolvePrincipal(account, parts))),
};

/** Fields to group by: the usual ones, and any that is typed by its name and that the person can see. */
export const builderGroup: SlackMenu<ReadingParts> = {
  id: 'builder-group',
  choices: async () => usualFields,
  async typed(text, account, parts) {
    const context = await parserContextOf(account, { channel: account }, parts);
    return (await context.isField(text)) ? [text, text] : null;
  },
};

/** Projects by key; one that is typed by its name as well. */
export const builderProjects: SlackMenu<ReadingParts> = {
  id: 'builder-projects',
  choices: (account, parts) =>
    choicesOf(account, parts, ({ projects }) => projects.map((key): Choice => [key, key])),
  async typed(text, account, parts) {
    const context = await parserContextOf(account, { channel: account }, parts);
    return (await context.isProject(text)) ? [text, text] : null;
  },
};

/** Sprints by name, the last to begin first. */
export const builderSprint: SlackMenu<ReadingParts> = {
  id: 'builder-sprint',
  async choices(account, parts) {
    const context = await parserContextOf(account, { channel: account }, parts);
    return [...new Set(await context.sprintNames())].map((name) => [name, name]);
  },
};

/** Saved filters of the tracker that the person can use. */
export const builderFilter: SlackMenu<MenuParts> = {
  id: 'builder-filter',
  choices: (account, parts) =>
    choicesOf(account, parts, ({ filters }) => filters.map(({ name }): Choice => [name, name])),
};

/** People of the tracker, the one who looks first. */
export const builderPeople: SlackMenu<MenuParts> = {
  id: 'builder-people',
  choices: (account, parts) =>
    choicesOf(account, parts, ({ people }, self) => {
      const isSelf = ({ id }: { readonly id: string }) => id === self;
      const sorted = people.toSorted(
        (a, b) => Number(isSelf(b)) - Number(isSelf(a)) || compareText(a.name, b.name),
      );
      return sorted.map((one): Choice => [isSelf(one) ? `${one.name} (me)` : one.name, one.id]);
    }),
};

/** None where the service behind has no such list. */
async function choicesOf(
  account: string,
  parts: MenuParts,
  read: (choices: IssueChoices, self: string) => readonly Choice[],
): Promise<readonly Choice[]> {
  const principal = await resolvePrincipal(account, parts);
  try {
    return read(await parts.reporting.choices(principal), principal.account);
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unsupported-by-service') return [];
    throw error;
  }
}

/** *Build a report* from anywhere: its answers come in the conversation with the app. */
export const buildReport: SlackShortcut<QuestionParts & ReadingParts & ViewParts> = {
  id: 'report-builder',
  type: 'global',
  run: ({ principal: { account }, open }, parts) =>
    openBuilder({ by: 'usual' }, { account, place: { channel: account, threadTs: null } }, open, parts),
};
