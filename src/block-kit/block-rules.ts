import { dataVisualization } from './chart-rules.ts';
import {
  accessory,
  actionsElement,
  cardButton,
  contextActionsElement,
  inputElement,
} from './element-rules.ts';
import { limits } from './limits.ts';
import { richText } from './rich-text-rules.ts';
import {
  all,
  anything,
  boolean,
  byType,
  holds,
  list,
  oneOf,
  type Rule,
  type Surface,
  shape,
  string,
} from './rule.ts';
import { dataTable, table } from './table-rules.ts';
import { anyText, image, plainText, url } from './text-rules.ts';

const id = { block_id: string({ max: limits.id }) };

const section = all(
  shape(
    { type: oneOf('section') },
    {
      ...id,
      text: anyText({ max: limits.section.text }),
      fields: list(anyText({ max: limits.section.field }), { max: limits.section.fields }),
      accessory,
      expand: boolean,
    },
  ),
  holds(({ text, fields }) => text !== undefined || fields !== undefined, 'must have text or fields'),
);

const context = shape(
  {
    type: oneOf('context'),
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
    { type: oneOf('card') },
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
  holds(
    (value) => ['hero_image', 'title', 'actions', 'body'].some((name) => value[name] !== undefined),
    'must have at least one of hero_image, title, actions, body',
  ),
);

const taskCard = shape(
  {
    type: oneOf('task_card'),
    task_id: string(),
    title: string(),
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
  },
  {
    ...id,
    details: richText,
    output: richText,
    sources: list(shape({ type: oneOf('url'), url: url(), text: string() })),
  },
);

const classic: Readonly<Record<string, Rule>> = {
  section,
  context,
  header: shape({ type: oneOf('header'), text: plainText({ max: limits.header }) }, id),
  divider: shape({ type: oneOf('divider') }, id),
  image: image({ ...id, title: plainText({ max: limits.image.title }) }),
  actions: shape(
    { type: oneOf('actions'), elements: list(actionsElement, { max: limits.actionsElements }) },
    id,
  ),
  input: shape(
    { type: oneOf('input'), label: plainText({ max: limits.input.label }), element: inputElement },
    { ...id, hint: plainText({ max: limits.input.hint }), optional: boolean, dispatch_action: boolean },
  ),
  rich_text: richText,
  video: shape(
    {
      type: oneOf('video'),
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
      type: oneOf('container'),
      child_blocks: list(byType('container child', { ...classic, table }), {
        max: limits.container.children,
      }),
    },
    {
      ...id,
      title: plainText({ max: limits.container.title }),
      rich_text_title: richText,
      subtitle: anyText({ max: limits.container.subtitle }),
      width: oneOf('narrow', 'standard', 'wide', 'full'),
      icon: image(),
      is_collapsible: boolean,
      default_collapsed: boolean,
      has_header_divider: boolean,
    },
  ),
  holds(
    (value) => value.title !== undefined || value.rich_text_title !== undefined,
    'must have title or rich_text_title',
  ),
);

const carousel = shape(
  { type: oneOf('carousel'), elements: list(byType('carousel', { card }), { max: limits.carouselCards }) },
  id,
);

/** Which blocks each surface shows. Where sources disagree (tables on Home) the block is left out. */
export const blockRules: Readonly<Record<Surface, Readonly<Record<string, Rule>>>> = {
  message: {
    ...classic,
    table,
    data_table: dataTable,
    data_visualization: dataVisualization,
    card,
    carousel,
    container,
    markdown: shape({ type: oneOf('markdown'), text: string({ max: limits.markdown }) }, id),
    context_actions: shape(
      {
        type: oneOf('context_actions'),
        elements: list(contextActionsElement, { max: limits.contextActionsElements }),
      },
      id,
    ),
    task_card: all(
      taskCard,
      holds(({ status }) => status !== 'pending', 'a task outside a plan cannot be pending'),
    ),
    plan: shape(
      { type: oneOf('plan'), title: string() },
      { ...id, tasks: list(byType('task', { task_card: taskCard }), { min: 0 }) },
    ),
    file: shape(
      { type: oneOf('file'), source: oneOf('remote'), external_id: string() },
      { ...id, file_id: anything },
    ),
  },
  modal: {
    ...classic,
    card,
    alert: shape(
      { type: oneOf('alert'), text: anyText({ max: limits.alert }) },
      { ...id, level: oneOf('default', 'info', 'warning', 'error', 'success') },
    ),
  },
  home: { ...classic, card, carousel },
};
