import type { ModalView } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import type { Click } from '../action.ts';
import type { Place } from '../command.ts';
import { openLateView } from '../open-late-view.ts';
import type { QuestionParts, ReadingParts, SlackParts, ViewParts } from '../parts.ts';
import { askingOf } from '../questions/read-question.ts';
import { builderFacts } from './builder-facts.ts';
import { type BuilderForm, newForm, readBuilder } from './builder-form.ts';
import { builderView } from './builder-view.ts';
import { formOfQuestion } from './form-of-question.ts';

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
        const asking = await askingOf(account, place, parts);
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
export async function refillBuilder(
  { view, principal: { account } }: Click,
  parts: ReadingParts,
  change: (form: BuilderForm) => BuilderForm | Promise<BuilderForm> = (form) => form,
): Promise<readonly []> {
  if (view === null) return [];
  const form = await change(readBuilder(view));
  const asking = await askingOf(account, form.place, parts);
  await view.replace(builderView(form, await builderFacts(form, account, asking, parts)));
  return [];
}
