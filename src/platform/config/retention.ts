import { daysKept } from './setting.ts';

/** For how long rows are kept that an age limit removes. */
export const RETENTION_SETTINGS = {
  ALMANAC_KEEP_FAILED_SNAPSHOT_DAYS: daysKept(
    'Number of days after which the snapshot of a canceled or failed forecast is removed. The forecast can then not be reproduced.',
    30,
    { min: 1 },
  ),
  ALMANAC_KEEP_PROGRESS_DAYS: daysKept(
    'Number of days after the end of a forecast after which its progress events are removed. Its last event stays.',
    30,
    { min: 1 },
  ),
  ALMANAC_KEEP_SECURITY_EVENT_DAYS: daysKept(
    'Number of days after which security events of accounts are removed.',
    400,
    { min: 400, reason: 'the API promises accounts the security events of 400 days' },
  ),
  ALMANAC_KEEP_MAIL_DAYS: daysKept(
    'Number of days after which the states of emails about forecasts and filters are removed. No email is sent again.',
    400,
    { min: 30, reason: 'what emails list is kept for 30 days' },
  ),
  ALMANAC_KEEP_DELIVERY_DAYS: daysKept(
    'Number of days after which deliveries to webhooks are removed. They can then not be replayed. Deliveries that wait for an attempt stay.',
    30,
    { min: 30, reason: 'the API promises that the deliveries of 30 days can be read and replayed' },
  ),
};

/** For how many days old rows are kept; null for ever. */
export interface RetentionSettings {
  readonly failedSnapshotDays: number | null;
  readonly progressDays: number | null;
  readonly securityEventDays: number | null;
  readonly mailDays: number | null;
  readonly deliveryDays: number | null;
}

export function retentionOf(
  values: Readonly<Record<keyof typeof RETENTION_SETTINGS, number | null>>,
): RetentionSettings {
  return {
    failedSnapshotDays: values.ALMANAC_KEEP_FAILED_SNAPSHOT_DAYS,
    progressDays: values.ALMANAC_KEEP_PROGRESS_DAYS,
    securityEventDays: values.ALMANAC_KEEP_SECURITY_EVENT_DAYS,
    mailDays: values.ALMANAC_KEEP_MAIL_DAYS,
    deliveryDays: values.ALMANAC_KEEP_DELIVERY_DAYS,
  };
}
