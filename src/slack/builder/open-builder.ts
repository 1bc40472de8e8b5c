import type { ModalView } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import type { Click, Place, SlackAction, SlackMenu, SlackShortcut } from '../app/handler-types.ts';
import { openLateView } from '../app/open-view.ts';
import type { QuestionParts, ReadingParts, SlackParts, ViewParts } from '../app/parts.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { calendarChoices, savedChoices, usualFields } from './builder-choices.ts';
import { type BuilderForm, builderFacts, newForm, readBuilder } from './builder-form.ts';
import { builderView } from './builder-view.ts';
import { formOfQuestion, formOfSaved } from './form-of-question.ts';

/** What the builder is filled with: a filter as it stands behind `/tis`, what a kept run asked, or what is usual. */
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
      meanwhile: 'Looking up what there is to choose from…',
      advice: 'Please try again.',
      async make() {
        const asking = await parserContextOf(account, place, parts);
        const form = await filledForm(prefill, newForm(place, asking.hours), asking, parts);
        const facts = await builderFacts(form, account, asking, parts);
        return builderView(form, facts);
      },
    },
    open,
    parts,
  );
}

async function filledForm(
  prefill: Prefill,
  form: BuilderForm,
  asking: ParserContext,
  parts: Pick<SlackParts, 'answers' | 'reporting'>,
): Promise<BuilderForm> {
  switch (prefill.by) {
    case 'filter':
      return { ...form, filter: prefill.filter, range: 'any' };
    case 'run':
      return formOfQuestion((await parts.answers.run(prefill.run)).question, form);
    case 'usual': {
      const project = await usualProject(asking, parts);
      return project === null ? form : { ...form, filter: `project ${project}` };
    }
  }
}

/** The one project that is usual here or, where none is known, one that there is something to tell of. */
async function usualProject(
  asking: ParserContext,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<string | null> {
  const usual = await asking.defaultProjects().catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (usual !== null) {
    const [project = null, ...others] = usual.projects;
    return others.length > 0 ? null : project;
  }
  const [key] = await reporting.exampleKeys(asking.principal, 1);
  return key === undefined ? null : key.slice(0, key.lastIndexOf('-'));
}

/** What a button that opens the builder carries: `run ID`, `filter TEXT`, or nothing. */
export function readPrefill(value: string): Prefill {
  const [, by, rest = ''] = /^(run|filter) (.+)$/s.exec(value) ?? [];
  if (by === 'run') return { by, run: rest };
  return by === 'filter' ? { by, filter: rest } : { by: 'usual' };
}

/** Shows the builder anew after a choice on which others depend; what was entered stays. `change` may alter the form. */
async function refillBuilder(
  { view, principal: { account } }: Click,
  parts: ReadingParts,
  change: (form: BuilderForm) => BuilderForm | Promise<BuilderForm> = (form) => form,
): Promise<readonly []> {
  if (view === null) return [];
  const form = await change(readBuilder(view));
  const asking = await parserContextOf(account, form.place, parts);
  await view.replace(builderView(form, await builderFacts(form, account, asking, parts)));
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
      if (click.value === '') return { ...form, saved: '', untold: [] };
      const principal = await resolvePrincipal(click.principal.account, parts);
      const set = await parts.settings.parameterSet(principal, click.value);
      const calendars = await parts.settings.calendars(principal);
      const reportTypes = offeredReports(parts.reporting.reportTypes);
      return formOfSaved(set, form, { calendars, reportTypes });
    }),
};

/** The calendars, where they are too many for a menu. */
export const builderCalendar: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'settings'>> = {
  id: 'builder-calendar',
  choices: async (account, parts) =>
    calendarChoices(await parts.settings.calendars(await resolvePrincipal(account, parts))),
};

/** Fields to group by: the usual ones, and any that is typed by its name and that the principal may meet. */
export const builderGroup: SlackMenu<ReadingParts> = {
  id: 'builder-group',
  choices: async () => usualFields,
  async typed(text, account, parts) {
    const asking = await parserContextOf(account, { channel: account }, parts);
    return (await asking.isField(text)) ? [text, text] : null;
  },
};

/** The saved reports, where they are too many for a menu. */
export const builderSavedMenu: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'settings'>> = {
  id: 'builder-saved',
  choices: async (account, parts) =>
    savedChoices(await parts.settings.parameterSets(await resolvePrincipal(account, parts))),
};

/** *Build a report* from anywhere: its answers come in the conversation with the app. */
export const buildReport: SlackShortcut<QuestionParts & ReadingParts & ViewParts> = {
  id: 'report-builder',
  type: 'global',
  run: ({ principal: { account }, open }, parts) =>
    openBuilder({ by: 'usual' }, { account, place: { channel: account, threadTs: null } }, open, parts),
};
