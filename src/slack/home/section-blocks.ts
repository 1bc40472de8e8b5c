import type { MessageBlock } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import type { Section } from './home-content.ts';

/** A part of the tab, with its title (escaped) and its blocks once it is known. */
interface SectionView {
  readonly title: string;
  readonly part: Section<unknown>;
  readonly blocks: () => readonly MessageBlock[];
}

/** A part of the tab as a view; `known` makes its blocks. */
export function sectionView<Value>(
  title: string,
  part: Section<Value>,
  known: (value: Value) => readonly MessageBlock[],
): SectionView {
  return { title, part, blocks: () => (part.state === 'known' ? known(part.value) : []) };
}

/** Parts of the tab in their order: of those that are not known what is the matter, each reason once. */
export function sectionBlocks(views: readonly SectionView[]): readonly (readonly MessageBlock[])[] {
  return views.map((view, index) => blocksOf(view, views.slice(0, index), views.slice(index + 1)));
}

function blocksOf(
  { title, part, blocks }: SectionView,
  before: readonly SectionView[],
  behind: readonly SectionView[],
): readonly MessageBlock[] {
  switch (part.state) {
    case 'known':
      return blocks();
    case 'counting':
      return [
        section(
          `*${title}*\nStill counting; this fills by itself. If it does not, *Refresh* at the end asks anew.`,
        ),
      ];
    case 'failed': {
      const isSame = ({ part: other }: SectionView) =>
        other.state === 'failed' && other.why.text === part.why.text;
      if (before.some(isSame)) return [];
      const others = behind.filter(isSame).map((one) => one.title);
      return failedBlocks(title, part, others);
    }
  }
}

function failedBlocks(
  title: string,
  { why, mayPass }: Extract<Section<unknown>, { readonly state: 'failed' }>,
  others: readonly string[],
): readonly MessageBlock[] {
  const reason = why.blocks.slice(0, 2);
  if (!mayPass) return [section(`*${title}*`), ...reason];
  const untold =
    others.length === 0
      ? 'This part cannot be told at the moment.'
      : `This cannot be told at the moment, nor can: ${others.join(', ')}.`;
  return [
    section(`*${title}*\n${untold}`),
    ...reason,
    context('The rest is not affected. *Refresh* at the end tries again.'),
  ];
}
