import type { Method } from '../method.ts';
import { apiTest } from './api-test.ts';
import { appsConnectionsOpen } from './apps-connections-open.ts';
import { authTest } from './auth-test.ts';
import { blocksValidate } from './blocks-validate.ts';
import { chatDelete } from './chat-delete.ts';
import { chatGetPermalink } from './chat-get-permalink.ts';
import { chatPostEphemeral } from './chat-post-ephemeral.ts';
import { chatPostMessage } from './chat-post-message.ts';
import { chatUnfurl } from './chat-unfurl.ts';
import { chatUpdate } from './chat-update.ts';
import { conversationsHistory } from './conversations-history.ts';
import { conversationsInfo } from './conversations-info.ts';
import { conversationsJoin } from './conversations-join.ts';
import { conversationsList } from './conversations-list.ts';
import { conversationsMembers } from './conversations-members.ts';
import { conversationsOpen } from './conversations-open.ts';
import { conversationsReplies } from './conversations-replies.ts';
import { filesCompleteUploadExternal } from './files-complete-upload-external.ts';
import { filesGetUploadUrlExternal } from './files-get-upload-url-external.ts';
import { filesInfo } from './files-info.ts';
import { usersInfo } from './users-info.ts';
import { usersList } from './users-list.ts';
import { usersLookupByEmail } from './users-lookup-by-email.ts';
import { viewsOpen } from './views-open.ts';
import { viewsPublish } from './views-publish.ts';
import { viewsPush } from './views-push.ts';
import { viewsUpdate } from './views-update.ts';

/** Every method of the Web API this stand-in knows; one file each. */
export const methods: readonly Method[] = [
  apiTest,
  appsConnectionsOpen,
  authTest,
  blocksValidate,
  chatDelete,
  chatGetPermalink,
  chatPostEphemeral,
  chatPostMessage,
  chatUnfurl,
  chatUpdate,
  conversationsHistory,
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  conversationsReplies,
  filesCompleteUploadExternal,
  filesGetUploadUrlExternal,
  filesInfo,
  usersInfo,
  usersList,
  usersLookupByEmail,
  viewsOpen,
  viewsPublish,
  viewsPush,
  viewsUpdate,
];
