import { anyText, confirm, image, option, plainText, richText, url } from './content-rules.ts';
import { limits } from './limits.ts';
import {
  all,
  anyOf,
  anything,
  boolean,
  byType,
  integer,
  list,
  matching,
  must,
  type Rule,
  shape,
  string,
} from './rule.ts';

const actionId = { action_id: string({ max: limits.id }) };
const focus = { focus_on_load: boolean };
const placeholder = { placeholder: plainText({ max: limits.placeholder }) };
const asked = { ...actionId, confirm };
const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'a date such as 2026-11-20');
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 09:30');
const ids = list(string(), { min: 0 });

const menuOption = option(plainText({ max: limits.option.text }));
const choice = option(anyText({ max: limits.option.text }));
const menuOptions = list(menuOption, { max: limits.select.options });
const optionSource = {
  options: menuOptions,
  option_groups: list(shape({ label: plainText({ max: limits.select.groupLabel }), options: menuOptions }), {
    max: limits.select.groups,
  }),
};
const eitherOptionsOrGroups = must(
  (value) => (value.options === undefined) !== (value.option_groups === undefined),
  'must have either options or option_groups',
);

function menu(type: string, extra: Readonly<Record<string, Rule>>): Rule {
  return shape({ type: anyOf(type) }, { ...asked, ...focus, ...placeholder, ...extra });
}

const multi = { max_selected_items: integer({ min: 1 }) };
const conversationFilter = { default_to_current_conversation: boolean, filter: anything };
const responds = { response_url_enabled: boolean };
const query = { min_query_length: integer({ min: 0 }) };

const button = shape(
  { type: anyOf('button'), text: plainText({ max: limits.button.text }) },
  {
    ...asked,
    value: string({ max: limits.button.value }),
    url: url(),
    style: anyOf('primary', 'danger'),
    accessibility_label: string({ max: limits.button.accessibilityLabel }),
  },
);

const selects: Readonly<Record<string, Rule>> = {
  static_select: all(
    menu('static_select', { ...optionSource, initial_option: menuOption }),
    eitherOptionsOrGroups,
  ),
  external_select: menu('external_select', { ...query, initial_option: menuOption }),
  users_select: menu('users_select', { initial_user: string() }),
  conversations_select: menu('conversations_select', {
    ...conversationFilter,
    ...responds,
    initial_conversation: string(),
  }),
  channels_select: menu('channels_select', { ...responds, initial_channel: string() }),
  multi_static_select: all(
    menu('multi_static_select', { ...optionSource, ...multi, initial_options: list(menuOption) }),
    eitherOptionsOrGroups,
  ),
  multi_external_select: menu('multi_external_select', {
    ...query,
    ...multi,
    initial_options: list(menuOption),
  }),
  multi_users_select: menu('multi_users_select', { ...multi, initial_users: ids }),
  multi_conversations_select: menu('multi_conversations_select', {
    ...conversationFilter,
    ...multi,
    initial_conversations: ids,
  }),
  multi_channels_select: menu('multi_channels_select', { ...multi, initial_channels: ids }),
};

const choices: Readonly<Record<string, Rule>> = {
  checkboxes: shape(
    { type: anyOf('checkboxes'), options: list(choice, { max: limits.choices }) },
    { ...asked, ...focus, initial_options: list(choice, { max: limits.choices }) },
  ),
  radio_buttons: shape(
    { type: anyOf('radio_buttons'), options: list(choice, { max: limits.choices }) },
    { ...asked, ...focus, initial_option: choice },
  ),
};

const pickers: Readonly<Record<string, Rule>> = {
  datepicker: menu('datepicker', { initial_date: date }),
  timepicker: menu('timepicker', { initial_time: time, timezone: string() }),
};

const datetimepicker = shape(
  { type: anyOf('datetimepicker') },
  { ...asked, ...focus, initial_date_time: integer({ min: 0 }) },
);

const overflow = shape(
  { type: anyOf('overflow'), options: list(menuOption, { max: limits.overflowOptions }) },
  asked,
);

const workflowButton = shape(
  { type: anyOf('workflow_button'), text: plainText({ max: limits.button.text }), workflow: anything },
  {
    ...asked,
    style: anyOf('primary', 'danger'),
    accessibility_label: string({ max: limits.button.accessibilityLabel }),
  },
);

const typed = { ...actionId, ...focus, ...placeholder, dispatch_action_config: anything };
const typedText: Readonly<Record<string, Rule>> = { ...typed, initial_value: string({ min: 0 }) };

const richTextInput = shape({ type: anyOf('rich_text_input') }, { ...typed, initial_value: richText });

const modalInputs: Readonly<Record<string, Rule>> = {
  email_text_input: shape({ type: anyOf('email_text_input') }, typedText),
  url_text_input: shape({ type: anyOf('url_text_input') }, typedText),
  number_input: shape(
    { type: anyOf('number_input'), is_decimal_allowed: boolean },
    { ...typedText, min_value: string(), max_value: string() },
  ),
  file_input: shape(
    { type: anyOf('file_input') },
    { ...actionId, filetypes: list(string()), max_files: integer({ min: 1, max: limits.inputFiles }) },
  ),
};

const feedbackButton = shape(
  { text: plainText({ max: limits.button.text }), value: string({ max: limits.button.value }) },
  { accessibility_label: string({ max: limits.button.accessibilityLabel }) },
);

/** What may stand beside a section's text. */
export const accessory: Rule = byType('accessory', {
  button,
  image: image(),
  overflow,
  workflow_button: workflowButton,
  ...selects,
  ...choices,
  ...pickers,
});

/** What may stand in an actions block. */
export const actionsElement: Rule = byType('element', {
  button,
  overflow,
  workflow_button: workflowButton,
  rich_text_input: richTextInput,
  datetimepicker,
  ...selects,
  ...choices,
  ...pickers,
});

const onEverySurface: Readonly<Record<string, Rule>> = {
  plain_text_input: all(
    shape(
      { type: anyOf('plain_text_input') },
      {
        ...typed,
        initial_value: string({ min: 0, max: limits.plainTextInput }),
        multiline: boolean,
        min_length: integer({ min: 0, max: limits.plainTextInput }),
        max_length: integer({ min: 1, max: limits.plainTextInput }),
      },
    ),
  ),
  rich_text_input: richTextInput,
  ...selects,
  ...choices,
  ...pickers,
};

const inputElements = {
  message: byType('input element', { ...onEverySurface, datetimepicker }),
  modal: byType('input element', { ...onEverySurface, ...modalInputs, datetimepicker }),
  home: byType('input element', onEverySurface),
} as const;

/** What may stand in an input block; number, e-mail, address and file inputs live in modals only. */
export const inputElement: Rule = (value, path, inspection) =>
  inputElements[inspection.surface](value, path, inspection);

/** What may stand in a context actions block. */
export const contextActionsElement: Rule = byType('element', {
  feedback_buttons: shape(
    { type: anyOf('feedback_buttons'), positive_button: feedbackButton, negative_button: feedbackButton },
    actionId,
  ),
  icon_button: shape(
    { type: anyOf('icon_button'), icon: string(), text: plainText({ max: limits.button.text }) },
    {
      ...asked,
      accessibility_label: string({ max: limits.button.accessibilityLabel }),
      value: string({ max: limits.button.value }),
      visible_to_user_ids: ids,
    },
  ),
});

/** The buttons of a card. */
export const cardButton: Rule = byType('element', { button });
