import {
  anyText,
  dataTable,
  dataVisualization,
  image,
  plainText,
  richText,
  table,
  url,
} from './content-rules.ts';
import {
  accessory,
  actionsElement,
  cardButton,
  contextActionsElement,
  inputElement,
} from './element-rules.ts';
import { limits } from './limits.ts';
import {
  all,
  anyOf,
  anything,
  boolean,
  byType,
  charactersIn,
  type Inspection,
  isRecord,
  list,
  must,
  type Problem,
  type Rule,
  type Surface,
  shape,
  string,
} from './rule.ts';

/** Everything Slack would refuse about these blocks on this surface; empty when it would take them. */
export function checkBlocks(blocks: unknown, surface: Surface, path = '/blocks'): Problem[] {
  const problems: Problem[] = [];
  const inspection: Inspection = {
    surface,
    say: (where, message) => problems.push({ path: where, message }),
  };
  if (!Array.isArray(blocks)) return [{ path, message: 'must be a list' }];
  const most = limits.blocks[surface];
  if (blocks.length > most) inspection.say(path, `no more than ${most} items allowed [has ${blocks.length}]`);
  const known = byType('block', blockRules[surface]);
  blocks.forEach((block, index) => {
    known(block, `${path}/${index}`, inspection);
    uniqueActionIds(block, `${path}/${index}`, inspection);
  });
  uniqueBlockIds(blocks, path, inspection);
  if (surface === 'message') checkWholeMessage(blocks, path, inspection);
  return problems;
}

/** Everything Slack would refuse about a modal or a Home tab; empty when it would take it. */
export function checkView(view: unknown): Problem[] {
  const problems: Problem[] = [];
  const surface = isRecord(view) && view.type === 'home' ? 'home' : 'modal';
  const inspection: Inspection = { surface, say: (path, message) => problems.push({ path, message }) };
  viewRule(view, '', inspection);
  if (!isRecord(view)) return problems;
  if (view.blocks !== undefined) problems.push(...checkBlocks(view.blocks, surface));
  if (surface === 'modal' && view.submit === undefined && hasInput(view.blocks))
    inspection.say('/submit', 'missing required field: a modal with an input block needs it');
  return problems;
}

const wholeMessage: readonly { types: readonly string[]; most: number; message: string }[] = [
  { types: ['table', 'data_table'], most: limits.table.perMessage, message: 'only_one_table_allowed' },
  {
    types: ['data_visualization'],
    most: limits.chart.perMessage,
    message: 'no more than 2 charts a message',
  },
  { types: ['plan'], most: limits.plansPerMessage, message: 'no more than 1 plan a message' },
];

function checkWholeMessage(blocks: readonly unknown[], path: string, { say }: Inspection): void {
  const types = withChildren(blocks).map((block) => (isRecord(block) ? block.type : undefined));
  for (const { types: counted, most, message } of wholeMessage) {
    const count = types.filter((type) => typeof type === 'string' && counted.includes(type)).length;
    if (count > most) say(path, `${message} [has ${count}]`);
  }
  const markdown = charactersIn(blocks.filter((block) => isRecord(block) && block.type === 'markdown'));
  if (markdown > limits.markdown)
    say(path, `no more than ${limits.markdown} characters of markdown [has ${markdown}]`);
  const characters = charactersIn(blocks);
  if (characters > limits.messageCharacters)
    say(path, `msg_blocks_too_long: no more than ${limits.messageCharacters} characters [has ${characters}]`);
}

function withChildren(blocks: readonly unknown[]): unknown[] {
  return blocks.flatMap((block) =>
    isRecord(block) && Array.isArray(block.child_blocks) ? [block, ...block.child_blocks] : [block],
  );
}

function uniqueBlockIds(blocks: readonly unknown[], path: string, { say }: Inspection): void {
  const seen = new Set<unknown>();
  blocks.forEach((block, index) => {
    const id = isRecord(block) ? block.block_id : undefined;
    if (id === undefined) return;
    if (seen.has(id)) say(`${path}/${index}/block_id`, `duplicate block_id: ${id}`);
    seen.add(id);
  });
}

const uniqueActionIds: Rule = (block, path, { say }) => {
  if (!isRecord(block) || !Array.isArray(block.elements)) return;
  const seen = new Set<unknown>();
  block.elements.forEach((element, index) => {
    const id = isRecord(element) ? element.action_id : undefined;
    if (id === undefined) return;
    if (seen.has(id)) say(`${path}/elements/${index}/action_id`, `duplicate action_id: ${id}`);
    seen.add(id);
  });
};

const viewMembers = {
  private_metadata: string({ min: 0, max: limits.view.privateMetadata }),
  callback_id: string({ min: 0, max: limits.view.callbackId }),
  external_id: string({ min: 0, max: limits.view.externalId }),
};

const viewRule = byType('view', {
  modal: shape(
    { type: anyOf('modal'), title: plainText({ max: limits.view.title }), blocks: anything },
    {
      ...viewMembers,
      submit: plainText({ max: limits.view.submit }),
      close: plainText({ max: limits.view.close }),
      clear_on_close: boolean,
      notify_on_close: boolean,
      submit_disabled: boolean,
    },
  ),
  home: shape({ type: anyOf('home'), blocks: anything }, viewMembers),
});

function hasInput(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.some((block) => isRecord(block) && block.type === 'input');
}

const id = { block_id: string({ max: limits.id }) };

const section = all(
  shape(
    { type: anyOf('section') },
    {
      ...id,
      text: anyText({ max: limits.section.text }),
      fields: list(anyText({ max: limits.section.field }), { max: limits.section.fields }),
      accessory,
      expand: boolean,
    },
  ),
  must(({ text, fields }) => text !== undefined || fields !== undefined, 'must have text or fields'),
);

const context = shape(
  {
    type: anyOf('context'),
    elements: list((value, path, inspection) => contextElement(value, path, inspection), {
      max: limits.contextElements,
    }),
  },
  id,
);

const contextElement = byType('context element', {
  image: image(),
  mrkdwn: anyText(),
  plain_text: anyText(),
});

const card = all(
  shape(
    { type: anyOf('card') },
    {
      ...id,
      hero_image: image(),
      icon: image(),
      title: anyText({ max: limits.card.title }),
      subtitle: anyText({ max: limits.card.subtitle }),
      body: anyText({ max: limits.card.body }),
      actions: list(cardButton),
    },
  ),
  must(
    (value) => ['hero_image', 'title', 'actions', 'body'].some((name) => value[name] !== undefined),
    'must have at least one of hero_image, title, actions, body',
  ),
);

const taskCard = shape(
  {
    type: anyOf('task_card'),
    task_id: string(),
    title: string(),
    status: anyOf('pending', 'in_progress', 'complete', 'error'),
  },
  {
    ...id,
    details: richText,
    output: richText,
    sources: list(shape({ type: anyOf('url'), url: url(), text: string() })),
  },
);

const classic: Readonly<Record<string, Rule>> = {
  section,
  context,
  header: shape({ type: anyOf('header'), text: plainText({ max: limits.header }) }, id),
  divider: shape({ type: anyOf('divider') }, id),
  image: image({ ...id, title: plainText({ max: limits.image.title }) }),
  actions: shape(
    { type: anyOf('actions'), elements: list(actionsElement, { max: limits.actionsElements }) },
    id,
  ),
  input: shape(
    { type: anyOf('input'), label: plainText({ max: limits.input.label }), element: inputElement },
    { ...id, hint: plainText({ max: limits.input.hint }), optional: boolean, dispatch_action: boolean },
  ),
  rich_text: richText,
  video: shape(
    {
      type: anyOf('video'),
      video_url: url(),
      thumbnail_url: url(),
      alt_text: string({ max: limits.image.alt }),
      title: plainText({ max: limits.video.title }),
    },
    {
      ...id,
      title_url: url(),
      author_name: string({ max: limits.video.author }),
      provider_name: string(),
      provider_icon_url: url(),
      description: plainText(),
    },
  ),
};

const container = all(
  shape(
    {
      type: anyOf('container'),
      child_blocks: list(byType('container child', { ...classic, table }), {
        max: limits.container.children,
      }),
    },
    {
      ...id,
      title: plainText({ max: limits.container.title }),
      rich_text_title: richText,
      subtitle: anyText({ max: limits.container.subtitle }),
      width: anyOf('narrow', 'standard', 'wide', 'full'),
      icon: image(),
      is_collapsible: boolean,
      default_collapsed: boolean,
      has_header_divider: boolean,
    },
  ),
  must(
    (value) => value.title !== undefined || value.rich_text_title !== undefined,
    'must have title or rich_text_title',
  ),
);

const carousel = shape(
  { type: anyOf('carousel'), elements: list(byType('carousel', { card }), { max: limits.carouselCards }) },
  id,
);

/** Which blocks each surface shows. Where sources disagree (tables on Home) the block is left out. */
const blockRules: Readonly<Record<Surface, Readonly<Record<string, Rule>>>> = {
  message: {
    ...classic,
    table,
    data_table: dataTable,
    data_visualization: dataVisualization,
    card,
    carousel,
    container,
    markdown: shape({ type: anyOf('markdown'), text: string({ max: limits.markdown }) }, id),
    context_actions: shape(
      {
        type: anyOf('context_actions'),
        elements: list(contextActionsElement, { max: limits.contextActionsElements }),
      },
      id,
    ),
    task_card: all(
      taskCard,
      must(({ status }) => status !== 'pending', 'a task outside a plan cannot be pending'),
    ),
    plan: shape(
      { type: anyOf('plan'), title: string() },
      { ...id, tasks: list(byType('task', { task_card: taskCard }), { min: 0 }) },
    ),
    file: shape(
      { type: anyOf('file'), source: anyOf('remote'), external_id: string() },
      { ...id, file_id: anything },
    ),
  },
  modal: {
    ...classic,
    card,
    alert: shape(
      { type: anyOf('alert'), text: anyText({ max: limits.alert }) },
      { ...id, level: anyOf('default', 'info', 'warning', 'error', 'success') },
    ),
  },
  home: { ...classic, card, carousel },
};
