//! How a business's portal page looks: its name, and one colour on light and on dark ground, which must be readable there.

use crate::audit_log::Deed;
use crate::businesses::{checked_name, known_business};
use crate::core::Core;
use crate::error::CoreError;
use jiff::Timestamp;
use svc_store::records::{Id, PortalLook};
use svc_store::{Mode, Store};

/// The page's light ground.
pub const GROUND_LIGHT: &str = "#ffffff";
/// The page's dark ground.
pub const GROUND_DARK: &str = "#14181d";
/// Least contrast of a colour with its ground: that of WCAG 2.2, level AA, for text.
pub const CONTRAST_MIN: f64 = 4.5;

impl<S: Store> Core<S> {
    /// How a business's page looks; nothing for a business that is not there.
    ///
    /// # Errors
    /// [`CoreError::Busy`] where too many are asked for; [`CoreError::Store`].
    pub async fn portal_look(&self, business: &Id) -> Result<Option<PortalLook>, CoreError> {
        let _place = self.strangers_place().await?;
        Ok(self.store.begin(Mode::ReadOnce).await?.portal_look(business).await?)
    }

    /// Sets how a business's page looks, in place of what was set: a name other than the business's, and the accent on light and on
    /// dark ground.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Invalid`] for a bad name, what is no colour, or a colour that can't be
    /// read on its ground; [`CoreError::Store`].
    pub async fn set_portal_look(
        &self,
        business: &Id,
        name: Option<&str>,
        accents: [Option<&str>; 2],
        now: Timestamp,
    ) -> Result<PortalLook, CoreError> {
        let name = name.map(|name| checked_name("a page's name", name)).transpose()?;
        let [light, dark] = accents;
        let accents = [
            light.map(|colour| checked_colour("light", colour, GROUND_LIGHT)).transpose()?,
            dark.map(|colour| checked_colour("dark", colour, GROUND_DARK)).transpose()?,
        ];
        let (name, accents) = (&name, &accents);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                known_business(&mut tx, business).await?;
                tx.set_portal_look(business, name.clone(), accents.clone()).await?;
                let look = tx.portal_look(business).await?;
                let deed = Deed { business: Some(business), action: "portal.look_set", target: None, detail: None };
                self.note(&mut tx, deed, now).await?;
                tx.commit().await?;
                look.ok_or(CoreError::NotFound("there is no such business"))
            })
        })
        .await
    }
}

/// A colour that can be read on its ground, in small letters.
fn checked_colour(ground_name: &str, text: &str, ground: &str) -> Result<String, CoreError> {
    let colour = text.to_ascii_lowercase();
    let Some((own, ground)) = luminance(&colour).zip(luminance(ground)) else {
        let message = format!("a colour is # and six hex digits, as #0757ba; {text:?} is not");
        return Err(CoreError::invalid("COLOUR_FORM", message));
    };
    let contrast = contrast(own, ground);
    if contrast >= CONTRAST_MIN {
        return Ok(colour);
    }
    let message = format!(
        "the contrast of {colour} with the page's {ground_name} ground is {contrast:.2}, and must be {CONTRAST_MIN} at least"
    );
    Err(CoreError::invalid("COLOUR_CONTRAST", message))
}

/// The relative luminance of a colour, by WCAG.
#[expect(clippy::float_arithmetic, reason = "a colour's brightness is no money")]
fn luminance(colour: &str) -> Option<f64> {
    let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let bytes = crate::secrets::hex(digits)?;
    let [red, green, blue] = <[u8; 3]>::try_from(bytes).ok()?.map(|byte| {
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue)
}

/// The contrast of two luminances, 1 to 21.
#[expect(clippy::float_arithmetic, reason = "a colour's brightness is no money")]
fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_standard() {
        let of = |one, other| contrast(luminance(one).unwrap(), luminance(other).unwrap());
        assert!((of("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((of("#777777", "#ffffff") - 4.478).abs() < 1e-3, "{}", of("#777777", "#ffffff"));
        assert!(of("#0757ba", GROUND_LIGHT) > CONTRAST_MIN && of("#6cb0ff", GROUND_DARK) > CONTRAST_MIN);
    }

    #[test]
    fn a_colour_is_of_its_form_and_readable() {
        assert_eq!(checked_colour("light", "#0757BA", GROUND_LIGHT).unwrap(), "#0757ba");
        let code = |text, ground| match checked_colour("light", text, ground) {
            Err(CoreError::Invalid { code, .. }) => code,
            other => panic!("{other:?}"),
        };
        for bad in ["", "red", "#fff", "#12345g", "#1234567", "0757ba", "#0757ba;}", "#+12345", "#ééé"] {
            assert_eq!(code(bad, GROUND_LIGHT), "COLOUR_FORM", "{bad}");
        }
        assert_eq!(code("#777777", GROUND_LIGHT), "COLOUR_CONTRAST");
        assert_eq!(code("#0757ba", GROUND_DARK), "COLOUR_CONTRAST");
    }
}
