export type { NotificationJobContext, WebhookContext } from './context.ts';
export { oldDeliveries, queueLostAttempts } from './deliveries/clean-deliveries.ts';
export { startDeliveryWorker } from './deliveries/delivery-worker.ts';
export { listDeliveries } from './deliveries/list-deliveries.ts';
export { WEBHOOK_QUEUE } from './deliveries/queue-deliveries.ts';
export { WEBHOOK_MAIL_KEY } from './deliveries/record-attempt.ts';
export { replayDelivery, testWebhook } from './deliveries/request-delivery.ts';
export { sendOffMail } from './deliveries/send-off-mail.ts';
export { dispatchEvents } from './dispatch/dispatch-events.ts';
export { startDispatch } from './dispatch/start-dispatch.ts';
export { changeChoice, readChoice, readMailDelivery } from './mails/choices.ts';
export { cleanMails, oldMails } from './mails/clean-mails.ts';
export { listNotificationMails, readLastMail } from './mails/list-mails.ts';
export { NOTIFICATION_MAIL_KEY } from './mails/plan-mails.ts';
export { sendNotificationMail } from './mails/send-notification-mail.ts';
export { createMailTokenReader, turnMailsOff, UNSUBSCRIBE_PATH } from './mails/unsubscribe.ts';
export { notificationMigrations } from './migrations/index.ts';
export { deleteWebhook, rotateSecret, updateWebhook, type WebhookKey } from './webhooks/change-webhook.ts';
export { createWebhook, type WebhookSecret } from './webhooks/create-webhook.ts';
export { findWebhook, listWebhooks, requireOwner, type WebhookPlace } from './webhooks/find-webhook.ts';
export { removeWebhooks } from './webhooks/remove-webhooks.ts';
export {
  countWebhooksOfEarlierKeys,
  removeUnusedWebhookKeys,
  rotateWebhookKey,
  rotateWebhookSecrets,
} from './webhooks/rotate-secrets.ts';
export { viewDelivery, viewWebhook } from './webhooks/view-webhook.ts';
