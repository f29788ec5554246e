/**
 * Regions of Saudi Arabia with their governorates and larger towns. Written for this console from general knowledge and checked on public maps;
 * no dataset was copied, so no licence applies to it. Two decimals are about a kilometre: a start for the pin, not an address.
 *
 * `# English|Arabic|latitude|longitude` is a region. The lines below it are its places, the seat of the region first:
 * `English|Arabic|latitude|longitude|other spellings, separated by commas`.
 */
export const SAUDI_CITIES = `
# Riyadh Region|منطقة الرياض|23.5|45.6
Riyadh|الرياض|24.71|46.68|
Diriyah|الدرعية|24.73|46.58|
Al Kharj|الخرج|24.15|47.31|
Dawadmi|الدوادمي|24.51|44.39|
Al Majmaah|المجمعة|25.9|45.35|
Al Quwayiyah|القويعية|24.05|45.27|
Wadi ad Dawasir|وادي الدواسر|20.49|44.8|
Layla|ليلى|22.28|46.72|aflaj, الأفلاج
Zulfi|الزلفي|26.3|44.81|
Shaqra|شقراء|25.24|45.25|
Hotat Bani Tamim|حوطة بني تميم|23.52|46.84|
Afif|عفيف|23.91|42.92|
As Sulayyil|السليل|20.46|45.58|
Dhurma|ضرماء|24.6|46.13|
Al Muzahmiyah|المزاحمية|24.48|46.27|
Rumah|رماح|25.56|47.16|
Thadiq|ثادق|25.29|45.87|
Huraymila|حريملاء|25.12|46.11|
Al Hariq|الحريق|23.62|46.51|
Al Ghat|الغاط|26.03|44.96|
Marat|مرات|25.07|45.46|
Ad Dilam|الدلم|23.99|47.16|
Ar Rayn|الرين|23.54|45.5|
Sajir|ساجر|25.18|44.6|

# Makkah Region|منطقة مكة المكرمة|21.5|40.9
Makkah|مكة المكرمة|21.42|39.83|mecca, مكة
Jeddah|جدة|21.54|39.17|jidda
Taif|الطائف|21.27|40.42|
Al Qunfudhah|القنفذة|19.13|41.08|
Al Lith|الليث|20.15|40.27|
Rabigh|رابغ|22.8|39.03|
King Abdullah Economic City|مدينة الملك عبدالله الاقتصادية|22.45|39.13|kaec
Thuwal|ثول|22.28|39.1|kaust
Khulais|خليص|22.15|39.34|
Al Jumum|الجموم|21.62|39.7|
Al Kamil|الكامل|22.24|39.79|
Al Khurmah|الخرمة|21.91|42.05|
Ranyah|رنية|21.25|42.86|
Turabah|تربة|21.21|41.63|
Maysan|ميسان|20.72|40.83|
Adham|أضم|20.46|40.88|
Al Muwayh|المويه|22.43|41.76|
Bahrah|بحرة|21.4|39.45|
Al Ardiyat|العرضيات|19.43|41.75|

# Madinah Region|منطقة المدينة المنورة|24.8|39.5
Madinah|المدينة المنورة|24.47|39.61|medina, المدينة
Yanbu|ينبع|24.09|38.06|
Yanbu Industrial City|ينبع الصناعية|24|38.2|
AlUla|العلا|26.61|37.92|
Mahd adh Dhahab|مهد الذهب|23.5|40.86|
Badr|بدر|23.78|38.79|
Khaybar|خيبر|25.7|39.29|
Al Hanakiyah|الحناكية|24.86|40.51|
Al Ais|العيص|25.06|38.11|

# Qassim Region|منطقة القصيم|26.2|43.5
Buraydah|بريدة|26.33|43.97|qassim, القصيم
Unaizah|عنيزة|26.08|43.99|
Ar Rass|الرس|25.87|43.5|
Al Mithnab|المذنب|25.86|44.22|
Al Bukayriyah|البكيرية|26.14|43.66|
Al Badai|البدائع|25.98|43.73|
Al Asyah|الأسياح|26.8|44.2|
An Nabhaniyah|النبهانية|25.86|43.06|
Uyun Al Jiwa|عيون الجواء|26.52|43.65|
Riyadh Al Khabra|رياض الخبراء|26.05|43.55|
Ash Shimasiyah|الشماسية|26.32|44.27|
Uqlat As Suqur|عقلة الصقور|25.84|42.19|
Dariyah|ضرية|24.73|42.92|

# Eastern Province|المنطقة الشرقية|23.5|50
Dammam|الدمام|26.42|50.09|
Khobar|الخبر|26.28|50.21|al khobar
Dhahran|الظهران|26.29|50.11|
Hofuf|الهفوف|25.36|49.59|al ahsa, الأحساء, hasa
Al Mubarraz|المبرز|25.41|49.58|
Jubail|الجبيل|27|49.65|
Jubail Industrial City|الجبيل الصناعية|27.09|49.57|
Qatif|القطيف|26.56|50|
Saihat|سيهات|26.48|50.04|
Safwa|صفوى|26.65|49.95|
Tarout|تاروت|26.57|50.06|
Hafar Al Batin|حفر الباطن|28.43|45.97|
Khafji|الخفجي|28.44|48.49|
Ras Tanura|رأس تنورة|26.64|50.16|
Abqaiq|بقيق|25.93|49.67|buqayq
Nairyah|النعيرية|27.47|48.49|
Qaryat Al Ulya|قرية العليا|27.55|47.7|
Salwa|سلوى|24.73|50.77|

# Asir Region|منطقة عسير|19|43
Abha|أبها|18.22|42.5|
Khamis Mushait|خميس مشيط|18.3|42.73|
Bisha|بيشة|19.99|42.6|
An Namas|النماص|19.12|42.13|
Muhayil|محايل عسير|18.55|42.05|محايل
Dhahran Al Janub|ظهران الجنوب|17.66|43.51|
Tathlith|تثليث|19.53|43.51|
Sarat Abidah|سراة عبيدة|18.09|43.13|
Rijal Almaa|رجال ألمع|18.21|42.27|
Ahad Rafidah|أحد رفيدة|18.21|42.83|
Sabt Al Alayah|سبت العلاية|19.59|41.97|balqarn, بلقرن
Al Majaridah|المجاردة|19.12|41.91|
Al Birk|البرك|18.21|41.54|
Bariq|بارق|18.93|41.93|
Tanumah|تنومة|18.93|42.17|

# Tabuk Region|منطقة تبوك|27.8|37
Tabuk|تبوك|28.38|36.57|
Al Wajh|الوجه|26.24|36.47|
Duba|ضباء|27.35|35.69|
Tayma|تيماء|27.63|38.54|
Umluj|أملج|25.02|37.27|
Haql|حقل|29.29|34.94|
Al Bad|البدع|28.49|35.01|
NEOM|نيوم|28|35.2|

# Hail Region|منطقة حائل|27.3|41.8
Hail|حائل|27.51|41.72|
Baqaa|بقعاء|27.9|42.4|
Al Ghazalah|الغزالة|26.8|41.32|
Ash Shinan|الشنان|27.18|42.44|
Al Hait|الحائط|25.99|40.47|
Mawqaq|موقق|27.38|41.18|
Ash Shamli|الشملي|26.85|40.33|

# Northern Borders Region|منطقة الحدود الشمالية|30.3|42
Arar|عرعر|30.98|41.04|
Rafha|رفحاء|29.62|43.5|
Turaif|طريف|31.67|38.66|
Al Uwayqilah|العويقيلة|30.33|42.25|

# Jazan Region|منطقة جازان|17.2|42.7
Jazan|جازان|16.89|42.55|jizan, جيزان
Sabya|صبيا|17.15|42.63|
Abu Arish|أبو عريش|16.97|42.83|
Samtah|صامطة|16.6|42.94|
Ahad Al Masarihah|أحد المسارحة|16.71|42.95|
Baysh|بيش|17.37|42.54|
Ad Darb|الدرب|17.72|42.25|
Al Aridhah|العارضة|17.04|43.06|
Damad|ضمد|17.11|42.78|
Farasan|فرسان|16.7|42.12|
Fayfa|فيفاء|17.25|43.1|
Ad Dair|الدائر|17.34|43.13|
At Tuwal|الطوال|16.51|42.97|

# Najran Region|منطقة نجران|18.3|46.5
Najran|نجران|17.49|44.13|
Sharurah|شرورة|17.48|47.11|
Hubuna|حبونا|17.84|44.05|

# Al Baha Region|منطقة الباحة|20.1|41.4
Al Baha|الباحة|20.01|41.47|
Baljurashi|بلجرشي|19.86|41.56|
Al Mandaq|المندق|20.16|41.28|
Al Makhwah|المخواة|19.75|41.43|
Al Aqiq|العقيق|20.26|41.65|
Qilwah|قلوة|19.95|41.26|

# Al Jawf Region|منطقة الجوف|29.9|39.5
Sakaka|سكاكا|29.97|40.21|
Dumat Al Jandal|دومة الجندل|29.81|39.87|
Qurayyat|القريات|31.33|37.34|
Tabarjal|طبرجل|30.5|38.22|
`;
