import type { SettingReader } from '../../../platform/config.ts';

export type CommercialSettings = {
  /**
   * Whether months are charged by themselves, and whoever does not pay is suspended. Who runs the service for shops of
   * their own turns it off; commands and payments by hand work all the same.
   */
  chargesMonths: boolean;
};

export function readCommercialSettings({ flag }: SettingReader): CommercialSettings {
  return { chargesMonths: flag('DUKKAN_BILLING', true) };
}
